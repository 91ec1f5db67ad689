import { createHash, randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import Parse from 'parse/node'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { serveTests } from '../testing/serveTests.ts'

let token: string
let picture: Buffer

const server = serveTests({ maxUploadSize: 200_000, files: { store: 'database', maxStreamSize: 2_000_000 } })
beforeAll(async () => {
  token = (await server.signUp('uploader')).token
  picture = await sharp({ create: { width: 600, height: 300, channels: 3, background: '#c33' } })
    .png()
    .toBuffer()
})

type Options = { type?: string; token?: string | undefined; master?: boolean; headers?: Record<string, string> }

/** The body is the file itself. */
async function upload(name: string, content: Buffer | string | FormData, options: Options = {}) {
  const response = await fetch(`${server.serverUrl}/files${name === '' ? '' : `/${name}`}`, {
    method: 'POST',
    headers: {
      'X-Parse-Application-Id': server.appId,
      ...(options.type && { 'Content-Type': options.type }),
      ...(!options.master && { 'X-Parse-Session-Token': 'token' in options ? (options.token ?? '') : token }),
      ...(options.master && { 'X-Parse-Master-Key': server.masterKey }),
      ...options.headers,
    },
    body: content instanceof Buffer ? new Uint8Array(content) : content,
  })
  const body = (await response.json()) as { name: string; url: string; code?: number; error?: string }
  return { status: response.status, headers: response.headers, body }
}

const get = (name: string, headers: Record<string, string> = {}, query = '', method = 'GET') =>
  fetch(`${server.serverUrl}/files/${server.appId}/${encodeURIComponent(name)}${query}`, { method, headers })

describe('uploads', () => {
  test('the body itself: stored under a random name, returned with its address, and read as it was', async () => {
    const content = randomBytes(700_000)
    const { status, headers, body } = await upload('some data.bin', content)
    expect(status).toBe(201)
    expect(body.name).toMatch(/^[0-9a-f]{32}_some data\.bin$/)
    expect(body.url).toBe(`${server.context.publicUrl}/server/files/${server.appId}/${encodeURIComponent(body.name)}`)
    expect(headers.get('location')).toBe(body.url)
    const answer = await get(body.name)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-length')).toBe('700000')
    expect(
      createHash('sha1')
        .update(Buffer.from(await answer.arrayBuffer()))
        .digest('hex'),
    ).toBe(createHash('sha1').update(content).digest('hex'))
    const again = await upload('some data.bin', content)
    expect(again.body.name).not.toBe(body.name)
  })

  test('a form, with fields before and behind the file', async () => {
    const form = new FormData()
    form.append('metadata', JSON.stringify({ from: 'a form', size: 2 }))
    form.append('file', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'From Form.png')
    form.append('tags', JSON.stringify({ kind: 'test' }))
    const { status, body } = await upload('', form)
    expect([status, body.name.slice(33)]).toEqual([201, 'From Form.png'])
    const extras = await fetch(`${server.serverUrl}/files/${server.appId}/metadata/${encodeURIComponent(body.name)}`)
    expect(await extras.json()).toEqual({ metadata: { from: 'a form', size: 2 }, tags: { kind: 'test' } })
    expect(Buffer.from(await (await get(body.name)).arrayBuffer()).equals(picture)).toBe(true)
  })

  test('a name without an ending gets that of its content', async () => {
    expect((await upload('logo', picture)).body.name).toMatch(/_logo\.png$/)
    expect((await upload('note', 'plain words')).body.name).toMatch(/_note\.txt$/)
    expect((await upload('table', 'a,b', { type: 'text/csv' })).body.name).toMatch(/_table\.csv$/)
  })

  test.each<[string, string, string | Buffer, Options, string]>([
    ['no name', '', 'x', {}, '400/122 Filename not provided.'],
    ['a long name', `${'a'.repeat(125)}.txt`, 'x', {}, '400/122 Filename too long.'],
    ['odd signs', 'a%22b.txt', 'x', {}, '400/122 Filename contains invalid characters.'],
    ['a dot in front', '.htaccess', 'x', {}, '400/122 Filename contains invalid characters.'],
    ['nothing inside', 'a.txt', '', {}, '400/130 Invalid file upload.'],
    ['a guest', 'a.txt', 'x', { token: undefined }, '400/130 File upload by public is disabled.'],
    ['a dead session', 'a.txt', 'x', { token: 'r:nobody' }, '400/209 Invalid session token'],
    ['too large', 'a.bin', randomBytes(2_000_001), {}, '413/129 The file is too large: the maximum is 2000000 bytes.'],
    [
      'a form without a boundary',
      'a.txt',
      'x',
      { type: 'multipart/form-data' },
      '400/130 The form cannot be read: its content type has no boundary.',
    ],
    [
      'a form cut short',
      'a.txt',
      '--b\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\nhalf',
      { type: 'multipart/form-data; boundary=b' },
      '400/130 The form cannot be read.',
    ],
    [
      'a form without a file',
      'a.txt',
      '--b\r\nContent-Disposition: form-data; name="f"\r\n\r\nx\r\n--b--\r\n',
      { type: 'multipart/form-data; boundary=b' },
      '400/130 The form contains no file.',
    ],
  ])('refused: %s', async (_what, name, content, options, expected) => {
    const { status, body } = await upload(name, content, options)
    expect(`${status}/${body.code} ${body.error}`).toBe(expected)
  })

  test('refuses a caller with nothing but a session', async () => {
    const signedUp = await server.call('POST', '/users', { authData: { anonymous: { id: crypto.randomUUID() } } })
    const { status, body } = await upload('a.txt', 'x', { token: signedUp.body.sessionToken as string })
    expect([signedUp.status, status, body.error]).toEqual([201, 400, 'File upload by anonymous user is disabled.'])
  })

  test('a file without a length that grows too large is refused, and nothing of it is kept', async () => {
    const before = await countFiles()
    const pieces = Array.from({ length: 40 }, () => randomBytes(65_536))
    const response = await fetch(`${server.serverUrl}/files/stream.bin`, {
      method: 'POST',
      headers: { 'X-Parse-Application-Id': server.appId, 'X-Parse-Session-Token': token },
      body: ReadableStream.from(pieces),
      duplex: 'half',
    } as RequestInit)
    expect([response.status, ((await response.json()) as { code: number }).code]).toEqual([413, 129])
    expect(await countFiles()).toEqual(before)
  })

  test('an interrupted sender leaves nothing behind', async () => {
    const before = await countFiles()
    const { port } = new URL(server.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      `POST /server/files/half.bin HTTP/1.1\r\nHost: x\r\nX-Parse-Application-Id: ${server.appId}\r\nX-Parse-Session-Token: ${token}\r\nContent-Length: 1000000\r\n\r\n`,
    )
    socket.write(randomBytes(600_000))
    await expect.poll(async () => (await countFiles()).rows, { timeout: 60_000 }).toBe(before.rows + 1)
    socket.destroy()
    await expect.poll(countFiles, { timeout: 60_000 }).toEqual(before)
  })

  test('R21: the public parse client saves, reads, and deletes files, and keeps them in objects', async () => {
    const { initialize } = Parse as unknown as {
      initialize(appId: string, javascriptKey: string, masterKey: string): void
    }
    initialize(server.appId, '', server.masterKey)
    Parse.serverURL = server.serverUrl
    const options = { sessionToken: token }
    const file = new Parse.File('hello.txt', { base64: Buffer.from('Hello, file').toString('base64') }, 'text/plain')
    file.addMetadata('colour', 'red')
    file.addTag('tag', 'value')
    await file.save(options)
    expect(file.name()).toMatch(/^[0-9a-f]{32}_hello\.txt$/)
    const list = new Parse.File('list.bin', Array.from(Buffer.from([1, 2, 3, 0, 255])))
    await list.save(options)
    expect(await list.getData()).toBe('AQIDAP8=')
    const streamed = new Parse.File('streamed.bin', Buffer.alloc(300_000, 7) as unknown as number[])
    await streamed.save(options)
    expect(Buffer.from(await (await get(streamed.name())).arrayBuffer()).equals(Buffer.alloc(300_000, 7))).toBe(true)

    const Doc = Parse.Object.extend('Doc')
    const doc = new Doc({ attachment: file, note: 'with a file' })
    await doc.save(null, options)
    const fetched = await new Parse.Query(Doc).equalTo('attachment', file).first(options)
    expect(fetched?.get('attachment').url()).toBe(
      `${server.context.publicUrl}/server/files/${server.appId}/${file.name()}`,
    )

    await file.destroy()
    expect((await get(file.name())).status).toBe(404)
    await expect(file.destroy()).rejects.toMatchObject({ code: 153 })
  })
})

async function countFiles(): Promise<{ rows: number; chunks: number }> {
  const [row] = await server.context.db.query<{
    rows: number
    chunks: number
  }>(sql`
    select (select count(*)::int from countersign.files) as rows,
      (select count(distinct c.name)::int from countersign.file_chunks c) as chunks`)
  return row ?? { rows: -1, chunks: -1 }
}

const html = '<!doctype html><script>alert(document.domain)</script>'
const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'

describe('P12: rejects content that a browser would run', () => {
  test.each<[string, string, string, string | undefined, number]>([
    ['html', 'x.html', html, 'text/html', 130],
    ['htm', 'x.HTM', html, undefined, 130],
    ['svg', 'x.svg', svg, 'image/svg+xml', 130],
    ['compressed svg', 'x.svgz', svg, undefined, 130],
    ['xml', 'x.xml', '<?xml version="1.0"?><x/>', 'application/xml', 130],
    ['xht', 'x.xht', html, 'application/xhtml+xml', 130],
    ['xsl', 'x.xsl', '<?xml version="1.0"?><x/>', undefined, 130],
    ['mathml', 'x.mml', '<math href="javascript:alert(1)">x</math>', undefined, 130],
    ['script', 'x.js', 'alert(1)', 'text/javascript', 130],
    ['the content type alone', 'x', 'hello', 'text/html', 130],
    ['the content type in capitals', 'x.txt', 'hello', 'TEXT/HTML', 130],
    ['the content type with a parameter', 'x', 'hello', 'text/html;charset=utf-8', 130],
    ['the content type with an odd parameter', 'x', 'hello', 'text/html;x="', 130],
    ['a type that is an xml', 'x', 'hello', 'application/vnd.custom+xml', 130],
    ['a malformed type', 'x.txt', 'hello', 'text', 107],
    ['a malformed type with two slashes', 'x.txt', 'hello', 'text//html', 107],
    ['two types at once', 'x.txt', 'hello', 'image/png,text/html', 107],
    ['a dot at the end', 'x.html.', html, undefined, 122],
    ['a blank at the end', 'x.html%20', html, undefined, 122],
    ['an odd ending', 'x.html5', 'hello', undefined, 130],
    ['an unknown ending', 'x.foo', 'hello', undefined, 130],
    ['markup that is called a text', 'x.txt', html, 'text/plain', 130],
    ['markup behind blanks and a mark', 'x.txt', `\ufeff\r\n\t ${html}`, 'text/plain', 130],
    ['markup that is called a picture', 'x.png', html, 'image/png', 130],
    ['markup without a name', 'x', svg, 'image/png', 130],
    ['bytes that are called a picture', 'x.png', '\u0001\u0002\u0003', 'image/png', 130],
    ['a text that is called a picture', 'x.jpg', 'hello', 'image/jpeg', 130],
    ['a program', 'x.bin', 'MZ\u0000\u0000', undefined, 130],
    ['a film of the past', 'x.bin', 'FWS\u0000', undefined, 130],
  ])('%s', async (_what, name, content, type, code) => {
    const { status, body } = await upload(name, content, type === undefined ? {} : { type })
    expect([status, body.code]).toEqual([400, code])
  })

  test('markup in UTF-16, which has no byte of a tag in its place', async () => {
    const little = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(html, 'utf16le')])
    const big = Buffer.from(little).swap16()
    for (const content of [little, big]) {
      const { status, body } = await upload('x.txt', content)
      expect([status, body.code]).toEqual([400, 130])
    }
  })

  test('the same inside JSON, where the type is in the body', async () => {
    const base64 = Buffer.from('hello').toString('base64')
    const send = (name: string, body: object) =>
      fetch(`${server.serverUrl}/files/${name}`, {
        method: 'POST',
        body: JSON.stringify({ _ApplicationId: server.appId, _SessionToken: token, ...body }),
      }).then(async (response) => [response.status, ((await response.json()) as { code?: number }).code])
    expect(await send('x.txt', { base64, _ContentType: 'text/html' })).toEqual([400, 130])
    expect(await send('x.txt', { base64, _ContentType: 'text/plain' })).toEqual([201, undefined])
    expect(await send('x.svg', { base64: Buffer.from(svg).toString('base64') })).toEqual([400, 130])
    expect(await send('x.txt', { base64: { $ne: 1 } })).toEqual([400, 130])
    expect(await send('x.txt', { base64: 'not base64!' })).toEqual([400, 130])
    expect(await send('x.txt', {})).toEqual([400, 130])
    expect(await send('x.txt', { base64: 'A'.repeat(300_000) })).toEqual([413, 116])
  })

  test('active content stored with the master key does nothing when opened', async () => {
    for (const [name, content] of [
      ['x.html', html],
      ['x.svg', svg],
    ] as const) {
      const { status, body } = await upload(name, content, { master: true })
      expect(status).toBe(201)
      const { headers } = await get(body.name)
      expect(headers.get('content-disposition')).toBe(`attachment; filename="${name}"`)
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  test.each([
    '..%2F..%2Fetc%2Fpasswd',
    '%2e%2e%2fx.txt',
    'a%2Fb.txt',
    'a%5Cb.txt',
    'a%00b.txt',
    '%2e%2e',
    'a%0d%0aX.txt',
  ])('a path in the place of a name: %s', async (name) => {
    const { status, body } = await upload(name, 'x')
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(body.url).toBeUndefined()
    const answer = await fetch(`${server.serverUrl}/files/${server.appId}/${name}`)
    expect(answer.status).toBeLessThan(500)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    const gone = await server.call('DELETE', `/files/${name}`, undefined, { master: true })
    expect(gone.status).toBeLessThan(500)
    expect(gone.status).toBeGreaterThanOrEqual(400)
    // Paths of files must not leak.
    expect(gone.text).not.toMatch(/ENOENT|\/data|\/tmp/)
  })

  test('P1: metadata and tags that reach for the prototype of an object', async () => {
    const evil = '{"__proto__":{"polluted":true}}'
    const headers = { 'X-Parse-File-Metadata': evil }
    expect((await upload('x.txt', 'x', { headers })).body.code).toBe(105)
    const nested = '{"a":{"constructor":{"prototype":{"polluted":true}}}}'
    expect((await upload('x.txt', 'x', { headers: { 'X-Parse-File-Tags': nested } })).body.code).toBe(105)
    const form = new FormData()
    form.append('file', new Blob(['x']), 'x.txt')
    form.append('metadata', evil)
    expect((await upload('x.txt', form)).body.code).toBe(105)
    const inJson = await fetch(`${server.serverUrl}/files/x.txt`, {
      method: 'POST',
      body: `{"_ApplicationId":"${server.appId}","_SessionToken":"${token}","base64":"eA==","fileData":{"metadata":${evil}}}`,
    })
    expect(((await inJson.json()) as { code: number }).code).toBe(105)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
    for (const bad of ['[]', '"text"', '{"a":1}', 'null x']) {
      const { status } = await upload('x.txt', 'x', { headers: { 'X-Parse-File-Tags': bad } })
      expect([bad, status]).toEqual([bad, 400])
    }
  })

  test('a file in an object: what a client says of its address is not believed', async () => {
    const own = `${'a'.repeat(32)}_x.png`
    const made = await server.call(
      'POST',
      '/classes/Shown',
      {
        own: { __type: 'File', name: own, url: 'https://evil.example/x.png' },
        script: { __type: 'File', name: 'x', url: 'javascript:alert(1)' },
        foreign: { __type: 'File', name: 'x.png', url: 'https://cdn.example/x.png' },
      },
      { token },
    )
    const { body } = await server.call('GET', `/classes/Shown/${made.body.objectId}`, undefined, { token })
    expect(body).toMatchObject({
      own: { __type: 'File', name: own, url: `${server.context.publicUrl}/server/files/${server.appId}/${own}` },
      script: { __type: 'File', name: 'x', url: `${server.context.publicUrl}/server/files/${server.appId}/x` },
      foreign: { __type: 'File', name: 'x.png', url: 'https://cdn.example/x.png' },
    })
  })
})

describe('reading', () => {
  let name: string
  const content = 'abcdefghijklmnopqrstuvwxyz'
  beforeAll(async () => {
    name = (await upload('alphabet.txt', content)).body.name
  })

  test('headers of a text, of a picture, and of HEAD', async () => {
    const text = await get(name)
    expect(Object.fromEntries(text.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': 'attachment; filename="alphabet.txt"',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': '26',
      'accept-ranges': 'bytes',
      'access-control-allow-origin': '*',
      etag: `"${createHash('sha256').update(content).digest('hex')}"`,
    })
    const image = await get((await upload('p.png', picture)).body.name)
    expect(image.headers.get('content-type')).toBe('image/png')
    expect(image.headers.get('content-disposition')).toBe('inline; filename="p.png"')
    const head = await get(name, {}, '', 'HEAD')
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '26', ''])
  })

  test.each<[string, number, string, string?]>([
    ['bytes=0-4', 206, 'abcde', 'bytes 0-4/26'],
    ['bytes=20-', 206, 'uvwxyz', 'bytes 20-25/26'],
    ['bytes=-3', 206, 'xyz', 'bytes 23-25/26'],
    ['bytes=-100', 206, content, 'bytes 0-25/26'],
    ['bytes=25-999999', 206, 'z', 'bytes 25-25/26'],
    ['bytes=26-', 416, '', 'bytes */26'],
    ['bytes=-0', 416, '', 'bytes */26'],
    ['bytes=999999999999999-', 416, '', 'bytes */26'],
    ['bytes=9999999999999999999999-', 200, content],
    ['bytes=5-1', 200, content],
    ['bytes=-', 200, content],
    ['bytes=a-b', 200, content],
    ['bytes=0-1,3-4', 200, content],
    ['bytes', 200, content],
    ['items=0-1', 200, content],
    ['bytes=0--1', 200, content],
    ['bytes=NaN-Infinity', 200, content],
    ['bytes=1e3-', 200, content],
  ])('a range: %s', async (range, status, text, described) => {
    const answer = await get(name, { Range: range })
    expect([answer.status, answer.headers.get('content-range') ?? undefined]).toEqual([status, described])
    expect(answer.headers.get('content-length')).toBe(String(text.length))
    expect(await answer.text()).toBe(text)
  })

  test('a range across the chunks of a file', async () => {
    const long = randomBytes(900_000)
    const { body } = await upload('long.bin', long)
    const answer = await get(body.name, { Range: 'bytes=262140-790000' })
    expect(Buffer.from(await answer.arrayBuffer()).equals(long.subarray(262_140, 790_001))).toBe(true)
  })

  test('a copy that is still good is not sent again; a range of another content is the whole', async () => {
    const etag = (await get(name)).headers.get('etag') ?? ''
    expect((await get(name, { 'If-None-Match': `"x", W/${etag}` })).status).toBe(304)
    expect((await get(name, { 'If-None-Match': '"x"' })).status).toBe(200)
    expect((await get(name, { Range: 'bytes=0-1', 'If-Range': etag })).status).toBe(206)
    expect((await get(name, { Range: 'bytes=0-1', 'If-Range': '"x"' })).status).toBe(200)
  })

  test('a missing file, and another application', async () => {
    const missing = await get('nothing.txt')
    expect([missing.status, await missing.text()]).toEqual([404, 'File not found.'])
    expect((await fetch(`${server.serverUrl}/files/another/${name}`)).status).toBe(403)
    const extras = await fetch(`${server.serverUrl}/files/${server.appId}/metadata/nothing.txt`)
    expect([extras.status, await extras.json()]).toEqual([200, {}])
  })
})

describe('previews', () => {
  const read = async (answer: Response) => {
    const { format, width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
    return { format, width, height }
  }

  test('the next size up, made once and kept', async () => {
    const { body } = await upload('wide.png', picture)
    const answers = await Promise.all([get(body.name, {}, '?size=200'), get(body.name, {}, '?size=256')])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[0]?.headers.get('etag')).toBe(answers[1]?.headers.get('etag'))
    expect(await read(answers[0] as Response)).toEqual({ format: 'webp', width: 256, height: 128 })
    const made = await server.context.db.query(sql`select name from countersign.files where original = ${body.name}`)
    expect(made).toHaveLength(1)
    // Never larger than the picture itself.
    expect(await read(await get(body.name, {}, '?size=9999'))).toEqual({ format: 'webp', width: 600, height: 300 })
    await server.call('DELETE', `/files/${body.name}`, undefined, { master: true })
    const left = await server.context.db.query(
      sql`select 1 from countersign.files where name = ${body.name} or original = ${body.name}`,
    )
    expect(left).toEqual([])
  })

  test('a preview contains none of the camera’s metadata', async () => {
    const exif = { IFD0: { Copyright: 'somewhere private' } }
    const photo = await sharp(picture).jpeg().withExif(exif).toBuffer()
    expect(photo.includes('somewhere private')).toBe(true)
    const { body } = await upload('photo.jpg', photo)
    const preview = Buffer.from(await (await get(body.name, {}, '?size=128')).arrayBuffer())
    expect(preview.includes('somewhere private')).toBe(false)
  })

  test('P13: a small file with a picture that would fill the memory is refused, and so is a broken one', async () => {
    const side = 8_000
    const bomb = await sharp({ create: { width: side, height: side, channels: 3, background: '#fff' } })
      .png({ compressionLevel: 9 })
      .toBuffer()
    expect(bomb.length).toBeLessThan(1_000_000)
    const broken = Buffer.concat([picture.subarray(0, 60), randomBytes(100)])
    for (const content of [bomb, broken]) {
      const { body } = await upload('bomb.png', content)
      const answer = await get(body.name, {}, '?size=64')
      expect([answer.status, ((await answer.json()) as { code: number }).code]).toEqual([400, 143])
    }
  })

  test.each(['0', '-1', 'abc', '1e3', '', '99999999', '[]'])('no such size: %j', async (size) => {
    const { body } = await upload('p.png', picture)
    expect((await get(body.name, {}, `?size=${encodeURIComponent(size)}`)).status).toBe(400)
  })

  test('a file that is no picture is its own preview', async () => {
    const { body } = await upload('words.txt', 'words')
    expect(await (await get(body.name, {}, '?size=64')).text()).toBe('words')
  })
})
