import numpy as np
from threadpoolctl import threadpool_info, threadpool_limits

from cr5.systems.algebra.threads import on_one_thread


def blas_threads(*_):
    np.ones((2, 2)) @ np.ones((2, 2))
    return {each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"}


def test_blas_has_one_thread_during_the_call_only():
    with threadpool_limits(2):
        assert on_one_thread(blas_threads, 1, 2) == {1}
        assert blas_threads() == {2}


def test_arguments_and_result_are_handed_on():
    assert on_one_thread(divmod, 17, 5) == (3, 2)
