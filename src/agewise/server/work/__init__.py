"""Uploads and ratings: worked on by processes of their own, whose time and memory are bounded."""
