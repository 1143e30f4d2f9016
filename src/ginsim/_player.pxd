# cython: language_level=3
"""Strategies written in Python: asked through a view that shows nothing hidden."""

from libc.stdint cimport uint64_t

from ginsim._hand cimport hand_t
from ginsim._strategy cimport strategy_t, view_t


cdef enum:
    # So many Python strategies may exist at once.
    MOST_PLAYERS = 4095


cdef class View:
    cdef const hand_t* _hand     # NULL once the decision is made
    cdef view_t* _view
    cdef const strategy_t* _base
    cdef uint64_t _word          # the next word of `random` and `pick`
    cdef bint _knocking
    cdef const hand_t* _open(self) except NULL
    cdef uint64_t _next(self) except? 0


cdef class Player:
    cdef readonly int number     # in strategy_t.player
    cdef int _asked              # bits of the decisions that its class makes itself


cdef raise_failure(where)
