# cython: language_level=3
"""Rows and sums of hands, for whoever plays them."""

from libc.stdint cimport int64_t

from ginsim._hand cimport NUM_DEAD_REASONS, NUM_OUTCOMES, hand_t, result_t, trace_t


cdef enum:
    NUM_SEATS = 3        # south, north, none


cdef int seat_of(const result_t* result) noexcept nogil
cdef void write_record(const hand_t* hand, signed char* bytes_out, short* shorts_out,
                       Py_ssize_t step) noexcept nogil
cdef trace_array(const trace_t* trace)
cdef int check_columns(signed char[:, ::1] bytes_out, short[:, ::1] shorts_out) except -1
