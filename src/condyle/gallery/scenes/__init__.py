"""Applications: whole studies that `condyle demo` shows. Their functions are not promised to stay as they are."""
