"""Permitted loads of the coming hours, each with the risk that a limit is passed."""
