/* Empty: see run, which puts unused functions here. */
