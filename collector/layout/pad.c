#include "collector/layout/pad.h"

#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/buf.h"
#include "lib/base/file.h"
#include "lib/stats/coin.h"

#include "lib/base/banned.h"

#ifdef __aarch64__
#define MACHINE EM_AARCH64
#define FEATURES 0xc0000000u /* GNU_PROPERTY_AARCH64_FEATURE_1_AND */
#else
#define MACHINE EM_X86_64
#define FEATURES 0xc0000002u /* GNU_PROPERTY_X86_FEATURE_1_AND */
#endif
#define ALL_FEATURES 3u	  /* a program has those that all of its objects have */
#define RETAIN (1u << 21) /* SHF_GNU_RETAIN: not to be collected as unused */

#define GAPS 8
#define KINDS 3
#define GAP_STEP 16
#define GAP_STEPS 64 /* gaps of 16 to 1024 bytes */
#define SECTIONS (KINDS * GAPS + 4)

/* The file as it grows; sections[0] stays empty. */
struct object {
	struct buf bytes, names;
	ElfW(Shdr) sections[SECTIONS];
	unsigned n;
};

static ElfW(Shdr) * begin(struct object *o, const char *name, uint32_t type, uint64_t flags)
{
	ElfW(Shdr) *s = &o->sections[o->n++];

	buf_addn(&o->bytes, '\0', (GAP_STEP - o->bytes.len % GAP_STEP) % GAP_STEP);
	s->sh_name = (uint32_t)o->names.len;
	s->sh_type = type;
	s->sh_flags = flags;
	s->sh_offset = o->bytes.len;
	s->sh_addralign = 1;
	buf_add(&o->names, name, strlen(name) + 1);
	return s;
}

static void add_gaps(struct object *o, struct coin *coin, unsigned wanted)
{
	static const struct {
		const char *name;
		uint32_t type;
		uint64_t flags;
	} kinds[KINDS] = { { ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR },
			   { ".rodata", SHT_PROGBITS, SHF_ALLOC },
			   { ".bss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE } };
	char name[32];
	unsigned i;

	for (i = 0; i < (wanted & PAD_ONE ? KINDS : KINDS * GAPS); i++) {
		uint64_t size = GAP_STEP * (1 + coin_below(coin, GAP_STEPS));
		ElfW(Shdr) * s;

		if (!(wanted & 1u << i % KINDS))
			continue;
		snprintf(name, sizeof(name), "%s.pawl%u", kinds[i % KINDS].name, i / KINDS);
		s = begin(o, name, kinds[i % KINDS].type,
			  kinds[i % KINDS].flags | (wanted & PAD_ONE ? 0 : RETAIN));
		s->sh_size = size;
		s->sh_addralign = GAP_STEP;
		if (s->sh_type != SHT_NOBITS)
			buf_addn(&o->bytes, '\0', s->sh_size);
	}
}

/* What the hardware is to enforce is asked for by an object that says nothing, else by none. */
static void add_features(struct object *o)
{
	struct {
		uint32_t n_name, n_text, type;
		char name[4];
		uint32_t property, size, value, filler;
	} note = { 4, 16, 5 /* NT_GNU_PROPERTY_TYPE_0 */, "GNU", FEATURES, 4, ALL_FEATURES, 0 };
	ElfW(Shdr) *s = begin(o, ".note.gnu.property", SHT_NOTE, SHF_ALLOC);

	s->sh_size = sizeof(note);
	s->sh_addralign = 8;
	buf_add(&o->bytes, &note, sizeof(note));
}

int pad_write(const char *path, uint64_t seed, unsigned kinds, struct err *err)
{
	struct object o = { .n = 1 };
	ElfW(Ehdr) head = { .e_type = ET_REL,
			    .e_machine = MACHINE,
			    .e_version = EV_CURRENT,
			    .e_ehsize = sizeof(head),
			    .e_shentsize = sizeof(ElfW(Shdr)) };
	ElfW(Shdr) * names;
	struct coin coin;
	int result = -1;

	coin_init(&coin, seed);
	memcpy(head.e_ident, ELFMAG, SELFMAG);
	head.e_ident[EI_CLASS] = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
	head.e_ident[EI_DATA] = ELFDATA2LSB;
	head.e_ident[EI_VERSION] = EV_CURRENT;
	buf_addc(&o.names, '\0');
	buf_add(&o.bytes, &head, sizeof(head));
	add_gaps(&o, &coin, kinds);
	add_features(&o);
	begin(&o, ".note.GNU-stack", SHT_PROGBITS, 0); /* no code runs on the stack */
	names = begin(&o, ".shstrtab", SHT_STRTAB, 0);
	names->sh_size = o.names.len;
	buf_add(&o.bytes, o.names.data, o.names.len);
	buf_addn(&o.bytes, '\0', GAP_STEP - o.bytes.len % GAP_STEP);
	if (buf_check(&o.names, err) || buf_check(&o.bytes, err))
		goto out;
	head.e_shoff = o.bytes.len;
	head.e_shnum = (ElfW(Half))o.n;
	head.e_shstrndx = (ElfW(Half))(o.n - 1);
	memcpy(o.bytes.data, &head, sizeof(head));
	buf_add(&o.bytes, o.sections, o.n * sizeof(o.sections[0]));
	if (!buf_check(&o.bytes, err))
		result = file_write_new(path, o.bytes.data, o.bytes.len, 0600, err);
out:
	buf_release(&o.bytes);
	buf_release(&o.names);
	return result;
}
