"""Slopes by central differences."""

import numpy as np


def differences(loss, parameter, step=1e-6):
    """Of a loss by each entry of an array, which it reads."""
    found = np.zeros_like(parameter)
    for place in np.ndindex(parameter.shape):
        kept, values = parameter[place], []
        for moved in (step, -step):
            parameter[place] = kept + moved
            values.append(loss())
        parameter[place] = kept
        found[place] = (values[0] - values[1]) / (2 * step)
    return found
