# cython: language_level=3
"""One hand, one action at a time."""

from ginsim._core cimport mask_t, spread_t
from ginsim._hand cimport choice_t, hand_t, rules_t, trace_t
from ginsim._strategy cimport strategy_t


cdef class Hand:
    cdef hand_t _hand
    cdef trace_t _trace
    cdef rules_t _rules
    cdef readonly object deck
    cdef Hand _copy(self)
    cdef _read_melds(self, melds, mask_t cards, spread_t* spread)
    cdef _check_spread(self, action, choice_t* choice)
    cdef _check_layoff(self, action, choice_t* choice)
    cdef const strategy_t* _searcher(self, const strategy_t[::1] strategies) except NULL
