int hot(int n);
int hot(int n)
{
	return n * n + 1;
}
