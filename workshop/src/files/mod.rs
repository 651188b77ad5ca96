//! Files of one folder of work, reached only through a handle to it.
