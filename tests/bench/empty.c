/* The smallest program: what is measured of it is the cost of running one. */
int main(void)
{
	return 0;
}
