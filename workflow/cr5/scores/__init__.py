"""From ranks to figures of merit, their intervals and means."""
