import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { seedFolder } from '../testing/seedFolder.ts'
import { ready, startProcess } from '../testing/startProcess.ts'
import { readArguments } from './readArguments.ts'
import { runSchema } from './runSchema.ts'
import { runTypes } from './runTypes.ts'
import { usageOf } from './usages.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cs-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs the command in this process, which saves starting one each time; returns its output. */
async function run(...args: string[]): Promise<string> {
  let output = ''
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += text
    return true
  })
  try {
    const given = readArguments([...args, '--data', join(folder, 'data')])
    await (given.command === 'types' ? runTypes(given) : runSchema(given))
    return output
  } catch (error) {
    return `${output}REFUSED ${(error as Error).message}`
  } finally {
    write.mockRestore()
  }
}

test('L7: schema apply, print and types, with the server stopped and beside a running one', {
  timeout: 180_000,
}, async () => {
  const first = join(folder, 'schema.ts')
  const imports = `import { defineSchema } from 'countersign'\nconst title: string = 'String'\n`
  await writeFile(first, `${imports}export default defineSchema({ Game: { fields: { title } } })\n`)
  const file = join(folder, 'schema.json')
  const define = (fields: object) => writeFile(file, JSON.stringify({ Game: { fields } }))
  const environment = { COUNTERSIGN_DATA: join(folder, 'data') }
  await seedFolder(join(folder, 'data'))
  const stopped = await startProcess(environment, ['schema', 'apply', first])
  expect(await stopped.exited).toBe(0)
  expect(stopped.output()).toBe('    create class Game\n    add Game.title: String\n\nDone: 2 steps.\n')

  const server = await ready(await startProcess(environment))
  try {
    // The folder is held by the server; without a word the command finds it by the port.
    const port = ['--port', new URL(server.url).port]
    const at = ['--server', `${server.url}/server`]
    expect(await run('schema', 'print', ...port)).toBe(`import { defineSchema } from 'countersign'

export default defineSchema({
  Game: {
    fields: {
      title: "String"
    }
  }
})
`)
    await define({ title: 'String', level: 'Number' })
    const dry = '    add Game.level: Number\n\nDry run: no changes applied.\n'
    expect(await run('schema', 'apply', file, '--dry-run', ...port)).toBe(dry)
    expect(await run('schema', 'apply', file, ...port)).toBe('    add Game.level: Number\n\nDone: 1 step.\n')

    // L7: the command names no port, and finds the server that holds the folder.
    expect(await run('schema', 'apply', file)).toContain('already matches')

    await define({ level: 'Number' })
    const refused = await run('schema', 'apply', file, ...at)
    expect(refused).toContain('  ! drop Game.title: String and its values\nREFUSED No changes applied')
    expect(refused).toContain('--allow-drops')
    expect(await run('schema', 'apply', file, '--allow-drops', ...at)).toContain('Done: 1 step.')
    expect(await run('schema', 'apply', file, ...at)).toContain('already matches')

    const out = join(folder, 'types.d.ts')
    expect(await run('types', '--out', out, ...at)).toBe('')
    expect(await readFile(out, 'utf8')).toContain('export interface GameFields {\n  level?: number\n}')

    await define({ level: 'Nmber' })
    expect(await run('schema', 'apply', file, ...at)).toBe('REFUSED Game: invalid field type: Nmber')
    const nobody = await run('schema', 'print', '--server', 'http://127.0.0.1:9/server')
    expect(nobody).toContain('No server is running at http://127.0.0.1:9/server')
  } finally {
    server.child.kill('SIGTERM')
    await server.exited
  }
})

test('help for each command, and mistakes with their fix', async () => {
  expect(usageOf('schema')).toContain('--allow-drops')
  expect(usageOf('types')).toContain('--out FILE')
  expect(usageOf('start')).toContain('countersign schema apply')
  expect(readArguments(['schema', '--help'])).toMatchObject({ command: 'schema', help: true })
  expect(() => readArguments(['start', '--dry-run'])).toThrow(/Unknown option --dry-run of countersign start/)
  expect(await run('schema')).toMatch(/REFUSED Usage: countersign schema apply/)
  expect(await run('schema', 'print', 'x')).toMatch(/REFUSED Usage: countersign schema/)
  expect(await run('schema', 'apply', join(folder, 'nowhere.ts'))).toMatch(/REFUSED No schema file found at .*nowhere/)
  expect(await run('types', 'x')).toMatch(/REFUSED .*--out FILE/)
})
