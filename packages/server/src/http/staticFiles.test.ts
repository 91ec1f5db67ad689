import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readFolder, readPath, sendStatic } from './staticFiles.ts'

const script = `export const text = '${'long '.repeat(100)}'\n`
let home: string
let root: string
let app: FastifyInstance
let port: number

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'static-'))
  root = join(home, 'root')
  await mkdir(join(root, 'deep/er'), { recursive: true })
  await mkdir(join(root, '.git'))
  await mkdir(join(home, 'beside'))
  await writeFile(join(home, 'secret.js'), 'TREASURE')
  await writeFile(join(home, 'beside/secret.js'), 'TREASURE')
  await writeFile(join(root, 'app.js'), script)
  await writeFile(join(root, 'app.js.br'), brotliCompressSync(script))
  await writeFile(join(root, 'app.js.gz'), gzipSync(script))
  await writeFile(join(root, 'deep/er/page.html'), '<p>page</p>')
  await writeFile(join(root, 'alone.gz'), 'TREASURE')
  await writeFile(join(root, 'empty.txt'), '')
  await writeFile(join(root, 'unknown.kind'), '<script>')
  await writeFile(join(root, '.env'), 'TREASURE')
  await writeFile(join(root, '.git/config.js'), 'TREASURE')
  await symlink(join(home, 'secret.js'), join(root, 'linked.js'))
  await symlink(join(home, 'beside'), join(root, 'linked'))
  const files = await readFolder(root)
  app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  app.route({
    method: ['GET', 'HEAD'],
    url: '/assets/*',
    handler: (request, reply) => {
      const file = files.get(readPath(request, '/assets/') ?? '')
      return file ? sendStatic(request, reply.header('X-Safety', 'on'), file) : reply.callNotFound()
    },
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
})
afterAll(async () => {
  await app.close()
  await rm(home, { recursive: true })
})

/** Sends the path as it is: fetch would resolve its dots first. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    send({ port, host: '127.0.0.1', path, method, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part) => parts.push(part))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      )
    })
      .on('error', reject)
      .end()
  })
}

test.each([
  ['the folder above', '/assets/../secret.js'],
  ['the folder above, from a folder', '/assets/deep/../../secret.js'],
  ['encoded dots', '/assets/%2e%2e/secret.js'],
  ['an encoded separator', '/assets/..%2fsecret.js'],
  ['an encoded separator within the folder', '/assets/deep%2fer%2fpage.html'],
  ['separators of Windows', '/assets/..\\secret.js'],
  ['encoded separators of Windows', '/assets/..%5csecret.js'],
  ['dots encoded twice', '/assets/%252e%252e/secret.js'],
  ['an overlong encoding', '/assets/%c0%ae%c0%ae/secret.js'],
  ['an absolute path', '/assets//etc/passwd'],
  ['a drive', '/assets/C:/secret.js'],
  ['a byte of zero', '/assets/app.js%00.html'],
  ['a dot segment within the folder', '/assets/./app.js'],
  ['a doubled slash within the folder', '/assets//app.js'],
  ['a way out and back', '/assets/deep/../app.js'],
  ['a slash at the end', '/assets/app.js/'],
  ['another letter case', '/assets/APP.js'],
  ['an encoded letter', '/assets/%61pp.js'],
  ['an encoded prefix', '/%61ssets/app.js'],
  ['a hidden file', '/assets/.env'],
  ['a file in a hidden folder', '/assets/.git/config.js'],
  ['a symbolic link to a file', '/assets/linked.js'],
  ['a symbolic link to a folder', '/assets/linked/secret.js'],
  ['a compressed file by its own name', '/assets/app.js.br'],
  ['a compressed file without a plain one', '/assets/alone.gz'],
  ['a folder', '/assets/deep'],
  ['a folder with a slash', '/assets/deep/'],
  ['the root', '/assets/'],
  ['a name of the prototype', '/assets/__proto__'],
  ['a name of every object', '/assets/constructor'],
])('%s is not found', async (_name, path) => {
  for (const method of ['GET', 'HEAD']) {
    const { status, body } = await ask(path, {}, method)
    expect([404, 400]).toContain(status)
    expect(body.toString()).not.toMatch(/TREASURE|long long|<p>page/)
  }
})

test('a request line that only a program can write leads nowhere else', async () => {
  for (const line of [
    `GET http://127.0.0.1:${port}/assets/../secret.js HTTP/1.1`,
    'GET assets/app.js HTTP/1.1',
    'GET /assets/..;/secret.js HTTP/1.1',
    'GET /assets/\t../secret.js HTTP/1.1',
  ]) {
    const text = await new Promise<string>((resolve) => {
      let got = ''
      const socket = connect(port, '127.0.0.1', () => socket.write(`${line}\r\nHost: x\r\nConnection: close\r\n\r\n`))
      socket
        .on('data', (part) => (got += part))
        .on('close', () => resolve(got))
        .on('error', () => resolve(got))
    })
    expect(text).toMatch(/^HTTP\/1\.1 4\d\d/)
    expect(text).not.toContain('TREASURE')
  }
})

test('a file is sent with its type, length and tag, and a HEAD request gets the same headers without it', async () => {
  const got = await ask('/assets/app.js?version=1')
  expect(got.status).toBe(200)
  expect(got.body.toString()).toBe(script)
  expect(got.headers).toMatchObject({
    'content-type': 'application/javascript; charset=utf-8',
    'content-length': String(script.length),
    'accept-ranges': 'bytes',
    etag: expect.stringMatching(/^"[\w-]{22}"$/),
    vary: 'Accept-Encoding',
    'x-safety': 'on',
  })
  const head = await ask('/assets/app.js?version=1', {}, 'HEAD')
  const plain = ({ date: _date, ...headers }: Record<string, unknown>) => headers
  expect([head.status, plain(head.headers), head.body.length]).toEqual([200, plain(got.headers), 0])
  expect((await ask('/assets/deep/er/page.html')).headers).not.toHaveProperty('vary')
  expect((await ask('/assets/unknown.kind')).headers['content-type']).toBe('application/octet-stream')
  const empty = await ask('/assets/empty.txt')
  expect([empty.status, empty.headers['content-length'], empty.body.length]).toEqual([200, '0', 0])
  expect((await ask('/assets/app.js', {}, 'POST')).status).toBe(404)
})

test.each([
  ['br', 'br'],
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['BR ; q=0.5', 'br'],
  ['br; q=0.000', undefined],
  ['identity', undefined],
  ['', undefined],
  ['library', undefined],
])('a client that accepts "%s" gets %s', async (accepted, encoding) => {
  const { headers, body, status } = await ask('/assets/app.js', { 'Accept-Encoding': accepted })
  expect([status, headers['content-encoding']]).toEqual([200, encoding])
  if (encoding === 'br') expect(brotliDecompressSync(body).toString()).toBe(script)
})

test('a client that has the file gets 304 with the headers, by the tag of what it has', async () => {
  const { headers } = await ask('/assets/app.js')
  const tag = String(headers.etag)
  for (const wanted of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
    const got = await ask('/assets/app.js', { 'If-None-Match': wanted })
    expect([got.status, got.body.length, got.headers.etag]).toEqual([304, 0, tag])
    expect(got.headers).toMatchObject({ vary: 'Accept-Encoding', 'x-safety': 'on' })
  }
  const compressed = await ask('/assets/app.js', { 'If-None-Match': tag, 'Accept-Encoding': 'br' })
  expect([compressed.status, compressed.headers.etag === tag]).toEqual([200, false])
})

test('a replaced file has another tag, also with the same length', async () => {
  const at = join(root, 'deep/er/page.html')
  const before = String((await ask('/assets/deep/er/page.html')).headers.etag)
  await writeFile(at, '<p>PAGE</p>')
  // Times of a package are the same in each release; a copy over a running server changes them.
  await utimes(at, 1, 1)
  const after = await ask('/assets/deep/er/page.html', { 'If-None-Match': before })
  expect([after.status, after.body.toString()]).toEqual([200, '<p>PAGE</p>'])
  await rm(at)
  expect((await ask('/assets/deep/er/page.html')).status).toBe(404)
})

test.each([
  ['bytes=0-4', 206, script.slice(0, 5)],
  ['bytes=5-', 206, script.slice(5)],
  ['bytes=-7', 206, script.slice(-7)],
  ['bytes=0-99999999', 206, script],
  ['bytes=99999999-', 416, ''],
  ['bytes=-0', 416, ''],
  ['bytes=4-2', 200, script],
  ['bytes=0-1,3-4', 200, script],
  ['bytes=-', 200, script],
  ['chunks=0-4', 200, script],
  ['bytes=1e1-20', 200, script],
])('the range %s gives %i', async (range, status, text) => {
  const got = await ask('/assets/app.js', { Range: range })
  expect([got.status, got.body.toString()]).toEqual([status, text])
  if (status === 416) expect(got.headers['content-range']).toBe(`bytes */${script.length}`)
  if (status === 206) expect(got.headers['content-range']).toMatch(new RegExp(`^bytes \\d+-\\d+/${script.length}$`))
})

test('a range of an earlier content gives the whole', async () => {
  const tag = String((await ask('/assets/app.js')).headers.etag)
  expect((await ask('/assets/app.js', { Range: 'bytes=0-1', 'If-Range': tag })).status).toBe(206)
  expect((await ask('/assets/app.js', { Range: 'bytes=0-1', 'If-Range': '"other"' })).status).toBe(200)
})
