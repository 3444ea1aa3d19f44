int spare(int); int main(int c, char **v) { return c > 5 ? spare(c) : !v; }
