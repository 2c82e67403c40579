"""Work spread over processes by Dask: a cluster of our own on this machine, or one that runs."""
