import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, loadConfigFromFile } from 'vite'
import { expect, test } from 'vitest'
import { root } from './steps/root.mjs'

test.each(['vite', 'next-app', 'next-pages', 'server'])('no placeholder is left in the template %s', (template) => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-template-'))
  try {
    const create = join(root, 'packages/create-countersign/create.js')
    execFileSync(process.execPath, [create, 'my-app', '--template', template], { cwd: folder, stdio: 'ignore' })
    const files = readdirSync(join(folder, 'my-app'), { recursive: true, withFileTypes: true })
    const left = files
      .filter((file) => file.isFile() && !file.parentPath.includes('.git'))
      .map((file) => join(file.parentPath, file.name))
      // A formatter may have added spaces, with which it is no placeholder any more.
      .filter((file) => /\{\{\s*(name|version)\s*\}\}/.test(readFileSync(file, 'utf8')))
    expect(files.length).toBeGreaterThan(10)
    expect(left).toEqual([])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a folder that cannot be used is refused with a sentence', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-template-'))
  const refuse = (/** @type {string[]} */ ...words) => {
    const create = join(root, 'packages/create-countersign/create.js')
    const { status, stderr } = spawnSync(process.execPath, [create, ...words], { cwd: folder, encoding: 'utf8' })
    expect(status).toBe(1)
    return stderr
  }
  try {
    writeFileSync(join(folder, 'a-file'), '')
    expect(refuse('a-file', '--template', 'vite')).toMatch(/a-file is a file\./)
    expect(refuse('a-file/inside', '--template', 'vite')).toMatch(/cannot be created: ENOTDIR/)
    expect(refuse('.', '--template', 'vite')).toMatch(/is not empty|cannot be the name/)
    for (const name of ['node_modules', 'countersign', 'react', 'vite'])
      expect(refuse(name, '--template', 'vite')).toMatch(`"${name}" is the name of another package.`)
    expect(refuse('My App', '--template', 'vite')).toMatch(/cannot be the name of a package/)
    expect(refuse('app', '--template', 'nope')).toMatch('There is no template "nope"')
    expect(refuse('app', 'vite')).toMatch('npm create countersign app -- --template vite')
    expect(readdirSync(folder)).toEqual(['a-file'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the development server of the Vite template serves neither keys nor database nor settings', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-template-'))
  const file = join(root, 'packages/create-countersign/templates/vite/vite.config.ts')
  const found = await loadConfigFromFile({ command: 'serve', mode: 'development' }, file)
  const secret = 'the master key'
  mkdirSync(join(folder, 'data/database'), { recursive: true })
  const files = ['data/keys.json', 'data/database/PG_VERSION', '.env', '.env.production', 'page.txt']
  for (const name of files) writeFileSync(join(folder, name), secret)
  const server = await createServer({
    ...found?.config,
    plugins: [],
    configFile: false,
    root: folder,
    logLevel: 'silent',
  })
  try {
    await server.listen(0)
    const url = server.resolvedUrls?.local[0] ?? ''
    const read = async (/** @type {string} */ path) => (await fetch(`${url}${path}`)).text()
    expect(await read('page.txt')).toBe(secret)
    for (const name of files.slice(0, -1))
      for (const path of [name, `${name}?raw`, `${name}?import`, `${name}?url&raw`, `@fs${folder}/${name}`])
        expect(await read(path), path).not.toContain(secret)
  } finally {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

test.each(['.env', '.env.local', '.env.production'])('git and images leave out %s of a created application', (name) => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-template-'))
  try {
    const create = join(root, 'packages/create-countersign/create.js')
    execFileSync(process.execPath, [create, 'my-app', '--template', 'vite'], { cwd: folder, stdio: 'ignore' })
    const app = join(folder, 'my-app')
    writeFileSync(join(app, name), 'SECRET=1')
    const added = execFileSync('git', ['add', '--dry-run', '.'], { cwd: app, encoding: 'utf8' })
    expect(added).toContain("add '.env.example'")
    expect(added).not.toContain(`add '${name}'`)
    expect(readFileSync(join(app, '.dockerignore'), 'utf8').split('\n')).toContain('.env*')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test.each(['vite', 'next', 'server'])(
  'the compose file of the template %s hands .env to the server alone',
  (template) => {
    const file = readFileSync(join(root, 'packages/create-countersign/templates', template, 'compose.yaml'), 'utf8')
    const services = file
      .slice(0, file.indexOf('\nvolumes:'))
      .split(/\n {2}(?=\w+:\n)/)
      .slice(1)
    expect(services.length).toBeGreaterThanOrEqual(3)
    expect(services.filter((service) => service.includes('env_file')).map((service) => service.split(':')[0])).toEqual([
      'server',
    ])
  },
)
