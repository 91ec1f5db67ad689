import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ready, startProcess } from '../testing/startProcess.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cs-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function run(...args: string[]): Promise<{ code: number | null; output: string }> {
  const started = await startProcess({ COUNTERSIGN_DATA: join(folder, 'data') }, args)
  return { code: await started.exited, output: started.output() }
}

test('schema apply, print and types, with the server stopped and beside a running one', async () => {
  const file = join(folder, 'schema.ts')
  const define = (fields: string) => `const schema: object = { Game: { fields: ${fields} } }\nexport default schema\n`
  await writeFile(file, define(`{ title: 'String' }`))

  const dry = await run('schema', 'apply', file, '--dry-run')
  expect(dry).toEqual({
    code: 0,
    output: '    make class Game\n    add Game.title: String\n\nNothing was done: this is a dry run.\n',
  })
  expect((await run('schema', 'apply', file)).output).toContain('Done: 2 steps.')
  const printed = await run('schema', 'print')
  expect(printed.output).toBe(`import { defineSchema } from 'countersign'

export default defineSchema({
  Game: {
    fields: {
      title: "String"
    }
  }
})
`)

  const server = await ready(await startProcess({ COUNTERSIGN_DATA: join(folder, 'data') }))
  try {
    const at = ['--server', `${server.url}/server`]
    await writeFile(file, define(`{ title: 'String', level: 'Number' }`))
    const beside = await run('schema', 'apply', file, '--port', new URL(server.url).port)
    expect(beside).toEqual({ code: 0, output: '    add Game.level: Number\n\nDone: 1 step.\n' })

    await writeFile(file, define(`{ level: 'Number' }`))
    const refused = await run('schema', 'apply', file, ...at)
    expect(refused.code).toBe(1)
    expect(refused.output).toContain('  ! drop Game.title: String with what it holds')
    expect(refused.output).toContain('--allow-drops')
    expect((await run('schema', 'apply', file, '--allow-drops', ...at)).code).toBe(0)
    expect((await run('schema', 'apply', file, ...at)).output).toContain('Nothing to do')

    const out = join(folder, 'types.d.ts')
    expect((await run('types', '--out', out, ...at)).code).toBe(0)
    expect(await readFile(out, 'utf8')).toContain('export interface GameFields {\n  level?: number\n}')

    await writeFile(file, define(`{ level: 'Nmber' }`))
    const mistaken = await run('schema', 'apply', file, ...at)
    expect(mistaken).toEqual({ code: 1, output: '\nGame: invalid field type: Nmber\n\n' })
    const nobody = await run('schema', 'print', '--server', 'http://127.0.0.1:9/server')
    expect(nobody.output).toContain('No server answers at http://127.0.0.1:9/server')
  } finally {
    server.child.kill('SIGTERM')
    await server.exited
  }
})

test('help for each command, and mistakes with their mend', async () => {
  const help = await run('schema', '--help')
  expect(help.output).toContain('--allow-drops')
  expect((await run('types', '-h')).output).toContain('--out FILE')
  const cases: [string[], RegExp][] = [
    [['schema'], /Say what to do: countersign schema apply/],
    [['schema', 'apply', join(folder, 'nowhere.ts')], /There is no schema file at .*nowhere\.ts/],
    [['start', '--dry-run'], /countersign start takes no --dry-run/],
    [['types', 'x'], /--out FILE/],
  ]
  for (const [args, message] of cases) {
    const { code, output } = await run(...args)
    expect(code).toBe(1)
    expect(output).toMatch(message)
    expect(output).not.toMatch(/\n\s+at /)
  }
})
