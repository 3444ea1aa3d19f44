# Homebrew's formula of pawl, for Linux: processor affinity and procfs, with which it measures, are
# not found elsewhere.  There is no release yet, so that it only knows --HEAD: the branch main of the
# clone that it lies in, or of the repository that HOMEBREW_PAWL_GIT names (docs/howto/install.md).
#
# Of a release, write above `head` where its tarball is (`make dist` makes it) and what sha256sum
# says of that very file:
#
#   url "https://example.org/pawl-0.1.0.tar.gz"
#   sha256 "..."
class Pawl < Formula
  desc "Find performance regressions between git commits"
  license "MIT"
  head ENV.fetch("HOMEBREW_PAWL_GIT") { "file://#{File.expand_path("../..", __dir__)}" },
       using: :git, branch: "main"

  depends_on "pkgconf" => :build
  depends_on "curl"
  depends_on "expat"
  depends_on "git"
  depends_on "gmp"
  depends_on "libgit2"
  depends_on "libmicrohttpd"
  depends_on :linux
  depends_on "nettle"
  depends_on "sqlite"
  depends_on "zlib"
  depends_on "zstd"

  def install
    system "make", "install", "PREFIX=#{prefix}"
  end

  service do
    run [opt_bin/"pawld", "--listen", "127.0.0.1:7295", "--store", "sqlite:#{var}/pawl.db"]
    keep_alive true
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/pawl --version") unless build.head?
    system "git", "init", "-q", "."
    system "git", "-c", "user.name=t", "-c", "user.email=t@example.com",
           "commit", "-q", "--allow-empty", "-m", "one"
    system "git", "-c", "user.name=t", "-c", "user.email=t@example.com",
           "commit", "-q", "--allow-empty", "-m", "two"
    output = shell_output("#{bin}/pawl compare --build true -- /bin/true")
    assert_match "identical", output
    (testpath/"one.c").write <<~C
      #include <pawl.h>
      static void run(void *ctx, uint64_t n, struct pawl_run *r)
      {
        (void)ctx, (void)r;
        while (n--)
          pawl_keep(n);
      }
      int main(int argc, char **argv)
      {
        static const struct pawl_bench list[] = { { .name = "one", .run = run } };
        return pawl_main(argc, argv, list, 1);
      }
    C
    system ENV.cc, "one.c", "-I#{include}", "-L#{lib}", "-lpawl", "-o", "one"
    assert_match "one", shell_output("./one --min-time 1ms")
  end
end
