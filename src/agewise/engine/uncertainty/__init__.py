"""What is made of drawn functions: arrays in, arrays out, whatever the method.

`decomposition` splits a variance into what the model does not know and what sensors blur,
`coverage` asks how often stated intervals hold, `scores` holds predictions against a truth.
"""
