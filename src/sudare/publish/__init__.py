"""One function a job: pay, compute, protect, record. The only place that wires rooms."""
