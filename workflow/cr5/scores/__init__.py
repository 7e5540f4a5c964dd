"""From ranks to metrics, their intervals and means."""
