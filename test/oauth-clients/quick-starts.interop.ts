import { before, test } from 'node:test'
import { debianPython } from '../helpers/debian-python.ts'
import { buildGo, requireDebianClients } from './debian-tools.ts'
import { blocksUnder, connectCarol, followThePage, startProgram, writeProgram } from './quick-start.ts'

/** npm run test:interop: the programs of docs/quick-starts.md that need tools from Debian. */
before(requireDebianClients)

test('Quick start: Python with Authlib: the program of the page works unchanged', async () => {
  const newcomer = await followThePage()
  const [program = ''] = blocksUnder('Quick start: Python with Authlib', 'python')
  await startProgram(newcomer, [debianPython, await writeProgram(newcomer, 'site.py', program)])
  await connectCarol(newcomer)
})

test('Quick start: PHP: the program of the page works unchanged', async () => {
  const newcomer = await followThePage()
  const [source = ''] = blocksUnder('Quick start: PHP', 'php')
  const program = await writeProgram(newcomer, 'site.php', source)
  await startProgram(newcomer, ['php', '-S', new URL(newcomer.site).host, program])
  await connectCarol(newcomer)
})

test('Quick start: Java: the program of the page works unchanged', async () => {
  const newcomer = await followThePage()
  const [source = ''] = blocksUnder('Quick start: Java', 'java')
  await startProgram(newcomer, ['java', await writeProgram(newcomer, 'Site.java', source)])
  await connectCarol(newcomer)
})

test('Quick start: Go: the program of the page works unchanged', async () => {
  const newcomer = await followThePage()
  const [source = ''] = blocksUnder('Quick start: Go', 'go')
  await using go = await buildGo(await writeProgram(newcomer, 'main.go', source))
  await startProgram(newcomer, [go.program])
  await connectCarol(newcomer)
})
