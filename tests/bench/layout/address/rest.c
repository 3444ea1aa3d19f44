int rest(int n);
int rest(int n)
{
	return n + 2;
}
