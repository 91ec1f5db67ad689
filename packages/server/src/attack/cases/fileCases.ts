import { type AttackCase, casesOf } from '../AttackCase.ts'
import { guest } from '../createScene.ts'

const script = '<script>alert(document.cookie)</script>'
/** Names and types by which servers have delivered active content. */
const active: [string, string, string][] = [
  ['page.html', 'text/html', script],
  ['page.htm', 'text/plain', script],
  ['page.xht', 'application/xhtml+xml', `<html xmlns="http://www.w3.org/1999/xhtml">${script}</html>`],
  ['page.svg', 'image/svg+xml', `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`],
  ['page.xml', 'text/xml', `<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>`],
  ['page.png', 'text/html', script],
  ['page.txt', 'text/html;charset=utf-8', script],
  ['page.html.', 'text/plain', script],
  ['page', 'text/html', script],
  ['page.mathml', 'application/mathml+xml', '<math><mtext></mtext></math>'],
  ['page.js', 'text/javascript', 'alert(1)'],
  ['page.txt', 'text/html,image/png', script],
  ['page.gif', 'image/gif', `GIF89a/*${script}*/`],
  ['page.bin', 'text/html;', script],
  ['page.bin', 'text/html ; charset="', script],
  ['page.bin', 'TEXT/HTML', script],
  ['page.bin', ' text/html', script],
  ['page.bin', 'text / html', script],
  ['page.bin', 'text/html\t', script],
  ['page.bin', 'image/svg+xml;,text/plain', `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`],
  ['page.bin', 'application/x-"text/html"', script],
  ['page.SVGZ', 'image/svg+xml', script],
  ['page.xhtml', 'application/octet-stream', script],
  ['page.pdf', 'application/pdf', '%PDF-1.7 /JS (app.alert(1))'],
]

/** Types that browsers show without running anything. */
const harmless = /^image\/(png|jpeg|gif|webp|avif)$/

const make = casesOf('files')

export const fileCases: AttackCase[] = [
  make(
    'no uploaded file runs in a browser',
    'P12, CVE-2026-32728, GHSA-7wqv-xjf3-x35v, GHSA-v8x7-r927-cc93, GHSA-r899-h629-j84r, GHSA-9prm-jqwx-45x9, GHSA-hcj7-6gxh-24ww, GHSA-v5hf-f4c3-m5rv',
    async (scene, { stranger }) => {
      const { appId } = scene.target
      for (const [name, type, content] of active) {
        const sent = await scene.call(stranger, 'POST', `/files/${name}`, content, {
          headers: { 'Content-Type': type },
        })
        if (sent.status >= 300) continue
        const read = await scene.call(guest, 'GET', `/files/${appId}/${encodeURIComponent(sent.body.name)}`)
        const { headers } = read
        const served = String(headers['content-type'] ?? '').split(';', 1)[0] ?? ''
        const isSaved = /^attachment/.test(String(headers['content-disposition'] ?? ''))
        scene.check(isSaved || harmless.test(served), read, `${name} as ${type} is shown as ${served}.`, 'header')
        scene.check(
          headers['x-content-type-options'] === 'nosniff',
          read,
          'Browsers guess the type of a file.',
          'header',
        )
        scene.check(
          /sandbox/.test(String(headers['content-security-policy'] ?? '')),
          read,
          'A file may run scripts with our origin.',
          'header',
        )
      }
    },
  ),
  make('paths lead to stored files only', 'P12', async (scene) => {
    const { appId } = scene.target
    for (const name of [
      '..%2f..%2f..%2fetc%2fpasswd',
      '%2e%2e%2f%2e%2e%2fkeys.json',
      '..%5c..%5cwindows',
      '%00',
      '.',
      '....//....//etc/passwd',
      'metadata/..%2f..%2fkeys.json',
      `${'a'.repeat(32)}_x%0d%0aSet-Cookie:%20a=b`,
      'constructor',
      '__proto__',
    ]) {
      const read = await scene.call(guest, 'GET', `/files/${appId}/${name}`)
      scene.check(read.status >= 400 || read.text === '{}', read, `The file path ${name} is served.`)
      scene.check(read.headers['set-cookie'] === undefined, read, 'A file name adds a header.', 'header')
    }
    for (const id of ['another', '__proto__', '%00'])
      scene.refused(await scene.call(guest, 'GET', `/files/${id}/x.txt`), 'A file is served for another application.')
  }),
  make('only the master key deletes files', 'P10, CVE-2026-30228', async (scene, { victim, stranger }) => {
    const sent = await scene.call(victim, 'POST', '/files/own.txt', 'a text', {
      headers: { 'Content-Type': 'text/plain' },
    })
    if (sent.status >= 300) scene.skip('users may not upload files')
    for (const as of [guest, stranger])
      scene.refused(
        await scene.call(as, 'DELETE', `/files/${encodeURIComponent(sent.body.name)}`),
        `${as.name} deletes a file.`,
      )
  }),
  make('a file and its metadata have an address that cannot be guessed', 'P12, CVE-2026-30850', async (scene, cast) => {
    const { victim, stranger } = cast
    const { appId } = scene.target
    const secret = scene.addSecret('METADATA', `meta${scene.run}`, victim)
    const legacy = { _ApplicationId: appId, _SessionToken: victim.token, _ContentType: 'text/plain', base64: 'eA==' }
    const body = JSON.stringify({ ...legacy, fileData: { metadata: { secret }, tags: { secret } } })
    const headers = { 'Content-Type': 'text/plain' }
    const sent = await scene.call({ name: victim.name }, 'POST', '/files/meta.txt', body, { appId: '', headers })
    if (sent.status >= 300) scene.skip('users may not upload files')
    scene.check(/^[0-9a-f]{32}_/.test(sent.body.name), sent, 'The name of a stored file can be guessed.', 'leak')
    for (const as of [guest, stranger])
      for (const path of ['metadata/meta.txt', 'metadata/%25', 'metadata/_meta.txt', 'meta.txt', '%25meta.txt'])
        await scene.call(as, 'GET', `/files/${appId}/${path}`)
  }),
  make(
    'odd uploads and ranges are refused',
    'P12, GHSA-792q-q67h-w579, GHSA-xw6g-jjvf-wwf9',
    async (scene, { stranger }) => {
      const { appId } = scene.target
      const plain = { headers: { 'Content-Type': 'text/plain' } }
      for (const name of [
        '%2e%2e',
        'a%2fb.txt',
        'a%00b.txt',
        `${'x'.repeat(400)}.txt`,
        '%0d%0aX-Injected:1.txt',
        '.htaccess',
        '-rf.txt',
        '%F0%9F%92%A9.txt',
        '__proto__',
        ' .txt',
      ])
        await scene.call(stranger, 'POST', `/files/${name}`, 'x', plain)
      for (const body of [
        { base64: '***' },
        { base64: 5 },
        { base64: 'eA==', _ContentType: { $ne: 1 } },
        { base64: 'eA==', fileData: { metadata: { constructor: { prototype: 1 } }, tags: [1] } },
        { __type: 'File', name: '../x' },
      ])
        await scene.call(stranger, 'POST', '/files/x.txt', body, plain)
      await scene.call(stranger, 'POST', '/files/x.txt', '', plain)
      await scene.call(stranger, 'POST', '/files', 'no form', { headers: { 'Content-Type': 'multipart/form-data' } })
      await scene.call(stranger, 'POST', '/files', '--b\r\nContent-Disposition: form-data; name="f"', {
        headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
      })
      const sent = await scene.call(stranger, 'POST', '/files/r.txt', '0123456789', plain)
      if (sent.status >= 300) return
      const path = `/files/${appId}/${encodeURIComponent(sent.body.name)}`
      for (const Range of [
        'bytes=-',
        'bytes=5-1',
        'bytes=99-',
        'bytes=0-0,1-1,2-2',
        'bytes=-0',
        'bytes=abc',
        `bytes=0-${'9'.repeat(40)}`,
        'x',
      ])
        await scene.call(guest, 'GET', path, undefined, { headers: { Range } })
      for (const query of ['?width=1e9', '?width=-1', '?width=__proto__', '?size=99999999999', '?edge=NaN'])
        await scene.call(guest, 'GET', `${path}${query}`)
    },
  ),
]
