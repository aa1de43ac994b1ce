"""Compiled, unchecked functions on masks and small integers.

Inside kernels a set of cards is a signed ``int64`` (62 bits fit) and a random word a ``uint64``;
no expression mixes the two. Arguments are not checked: the functions of ``sim`` that call these do
that.
"""
