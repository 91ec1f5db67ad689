import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { namehash, zeroHash } from 'viem'
import { labelhash } from 'viem/ens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Chain as TestChain } from '../../testing/chain/Chain.ts'
import { createDeployerClient } from '../../testing/chain/createDeployerClient.ts'
import { deployContract } from '../../testing/chain/deployContract.ts'
import { deployer } from '../../testing/chain/deployer.ts'
import { type ArtifactName, getArtifact } from '../../testing/chain/getArtifact.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import type { Chain, Hex } from '../nodes/Chain.ts'
import { getChains } from '../nodes/getChains.ts'
import { fetchDocument, resolveUri } from './fetchDocument.ts'
import { getNftPicture, sniffPicture } from './getPicture.ts'
import type { Nft } from './Nft.ts'
import { getNftMetadata, listNftMetadata } from './nftMetadata.ts'
import { normalizeMetadata } from './readMetadata.ts'

const cid = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPRhq'
const folderCid = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi'

let node: TestChain
let server: TestServer
let chain: Chain
let host: Host
let inside: Host
let pictures: Hex
let badges: Hex
let registry: Hex
let resolver: Hex
let minted = 0

type Answer = {
  status?: number
  type?: string
  body?: string | Buffer
  headers?: Record<string, string>
  wait?: number
}
type Host = { url: string; asked: string[]; answers: Map<string, Answer>; server: Server }

async function startHost(): Promise<Host> {
  const answers: Host['answers'] = new Map()
  const asked: string[] = []
  const made = createServer(async (request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const {
      status = 200,
      type = 'application/json',
      body = '',
      headers = {},
      wait = 0,
    } = answers.get(path) ?? {
      status: 404,
    }
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    response.writeHead(status, { ...(type && { 'content-type': type }), ...headers })
    response.end(body)
  })
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(made.address() as AddressInfo).port}`, asked, answers, server: made }
}

beforeAll(async () => {
  ;[node, host, inside] = await Promise.all([startChain(), startHost(), startHost()])
  registry = await deploy('NameRegistry')
  resolver = await deploy('NameResolver')
  const contracts = { ensRegistry: registry }
  server = await createTestServer({
    chains: [{ id: node.chainId, name: 'local', rpcUrls: [node.url], headCacheTtl: 0, contracts }],
    nft: { gateway: `${host.url}/ipfs/`, maxSize: 20_000, timeout: 3_000, concurrency: 4 },
  })
  chain = getChains(server.context).get(node.chainId)
  pictures = await deploy('Pictures', 'Pictures', 'PIC')
  badges = await deploy('Badges', 'Badges', 'BDG', `ipfs://${folderCid}/{id}.json`)
})

afterAll(async () => {
  await server.stop()
  await node.stop()
  for (const { server: each } of [host, inside]) each.close()
})

const deploy = async (name: ArtifactName, ...args: unknown[]) =>
  (await deployContract(node, getArtifact(name), args)).toLowerCase() as Hex
const send = (name: ArtifactName, address: Hex, functionName: string, ...args: unknown[]) =>
  createDeployerClient(node).writeContract({ address, abi: getArtifact(name).abi, functionName, args })

async function mint(uri: string): Promise<Nft> {
  const tokenId = BigInt(++minted)
  await send('Pictures', pictures, 'mint', deployer.address, tokenId, uri)
  return { token: pictures, tokenId, kind: 'erc721' }
}

const asker = 'somebody'
const read = async (uri: string) => getNftMetadata(server.context, chain, await mint(uri), { asker })
const errorOf = async (uri: string) => {
  const { error, metadata } = await read(uri)
  expect(metadata).toBeUndefined()
  return error
}

describe('location of metadata', () => {
  test('R27: metadata of an ERC-721 by ipfs, through the configured gateway', async () => {
    host.answers.set(`/ipfs/${cid}/7.json`, { body: JSON.stringify({ name: 'Seven', image: `ipfs://${cid}/7.png` }) })
    const record = await read(`ipfs://ipfs/${cid}/7.json`)
    expect(record).toMatchObject({ uri: `ipfs://ipfs/${cid}/7.json`, metadata: { name: 'Seven' }, error: undefined })
    expect(normalizeMetadata(server.context.config.nft, record.metadata ?? {})).toEqual({
      name: 'Seven',
      description: null,
      image: `${host.url}/ipfs/${cid}/7.png`,
      external_link: null,
      animation_url: null,
      attributes: [],
    })
  })

  test('R27: metadata of an ERC-1155, whose id is filled in', async () => {
    const id = '2a'.padStart(64, '0')
    host.answers.set(`/ipfs/${folderCid}/${id}.json`, { body: '{"name":"Badge 42"}' })
    const record = await getNftMetadata(
      server.context,
      chain,
      { token: badges, tokenId: 42n, kind: 'erc1155' },
      { asker },
    )
    expect(record.metadata).toEqual({ name: 'Badge 42' })
  })

  test('metadata that the token itself holds: base64, escaped, plain', async () => {
    const text = '{"name":"On chain","n":"100%"}'
    const forms = [
      `data:application/json;base64,${Buffer.from(text).toString('base64')}`,
      `data:application/json;utf8,${encodeURIComponent(text)}`,
      `data:application/json,${text}`,
      text,
    ]
    for (const uri of forms) expect((await read(uri)).metadata).toEqual({ name: 'On chain', n: '100%' })
  })

  test('SEC-26: a path cannot climb out of the gateway, and nothing but web addresses is read', () => {
    const settings = server.context.config.nft
    const find = (uri: string) => resolveUri(settings, uri)
    expect(find(`/ipfs/${cid}`)).toEqual({ host: cid, url: `${host.url}/ipfs/${cid}`, isOurs: true })
    expect(find(`ipfs://${cid}/a b#1.png?x`)?.url).toBe(undefined)
    expect(find(`ipfs://${cid}/a%20b%231.png?x/`)?.url).toBe(`${host.url}/ipfs/${cid}/a%20b%231.png%3Fx/`)
    expect(find(`ipfs://${cid}/100%25.png`)?.url).toBe(`${host.url}/ipfs/${cid}/100%25.png`)
    const key = 'x'.repeat(43)
    expect(find(`ar://${key}/1.json`)).toEqual({ host: key, url: `https://arweave.net/${key}/1.json`, isOurs: true })
    expect(find('https://example.com/x')).toEqual({ host: 'example.com', url: 'https://example.com/x', isOurs: false })
    // An address of a stranger that leads to the gateway is the address of a stranger.
    expect(find(`${host.url}/ipfs/${cid}/1.json`)?.isOurs).toBe(false)
    const climbs = [
      '..',
      '.',
      '%2e%2e',
      '..%2f..%2fadmin',
      '%2E%2e%5cadmin',
      '..\\admin',
      'a%2fb',
      '%252e%252e',
      '%252fa',
      '%00',
    ]
    for (const climb of climbs) {
      expect([climb, find(`ipfs://${cid}/${climb}`)]).toEqual([climb, undefined])
      expect([climb, find(`ipfs://${cid}/a/${climb}/b`)]).toEqual([climb, undefined])
      expect([climb, find(`ar://${key}/${climb}`)]).toEqual([climb, undefined])
    }
    const none = ['file:///etc/passwd', 'ftp://example.com/x', 'javascript:alert(1)', 'nothing', '', 'ipfs://../x']
    for (const uri of [...none, 'ipfs://QmShort/x', 'ar://short/x']) expect(find(uri)).toBeUndefined()
  })

  test('shows a picture or a page, with any metadata', () => {
    const metadata = {
      name: 5,
      image: 'javascript:alert(1)',
      external_url: 'https://example.com/x',
      animation_url: 'data:text/html,<script>',
      attributes: [{ trait_type: 'Eyes', value: 'Blue' }, { value: { deep: 1 } }, 'loose', null],
    }
    expect(normalizeMetadata(server.context.config.nft, metadata)).toEqual({
      name: '5',
      description: null,
      image: null,
      external_link: 'https://example.com/x',
      animation_url: null,
      attributes: [
        { trait_type: 'Eyes', value: 'Blue', display_type: null, max_value: null },
        { trait_type: null, value: 'loose', display_type: null, max_value: null },
      ],
    })
  })
})

describe('attacks by strangers', () => {
  test('sends no request inside the network: by number, by name, by disguise', async () => {
    const { port } = new URL(inside.url)
    const places = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '0.0.0.0']
    for (const place of places) expect(await errorOf(`http://${place}:${port}/x.json`)).toContain('private network')
    expect(await errorOf('http://169.254.169.254/latest/meta-data/')).toContain('private network')
    expect(await errorOf('http://10.0.0.1/')).toContain('private network')
    expect(inside.asked).toEqual([])
  })

  test('a redirect is judged like any address, even from the trusted gateway', async () => {
    inside.answers.set('/secret.json', { body: '{"name":"secret"}' })
    const to = (location: string) => ({ status: 302, headers: { location } })
    host.answers.set(`/ipfs/${cid}/a`, to(`${inside.url}/secret.json`))
    host.answers.set(`/ipfs/${cid}/b`, to(`/admin`))
    host.answers.set(`/ipfs/${cid}/c`, to('file:///etc/passwd'))
    host.answers.set(`/ipfs/${cid}/d`, to(`/ipfs/${cid}/d`))
    host.answers.set('/admin', { body: '{"name":"admin"}' })
    expect(await errorOf(`ipfs://${cid}/a`)).toContain('private network')
    expect(await errorOf(`ipfs://${cid}/b`)).toContain('private network')
    expect(await errorOf(`ipfs://${cid}/c`)).toContain('invalid URL')
    expect(await errorOf(`ipfs://${cid}/d`)).toContain('redirects')
    expect(inside.asked).toEqual([])
    expect(host.asked).not.toContain('/admin')
  })

  test('SEC-26: no address in metadata reaches the gateway of the operator beside its content', async () => {
    host.answers.set('/ipfs/..%2f..%2fadmin', { body: '{"name":"admin"}' })
    host.answers.set(`/ipfs/${cid}/own.json`, { body: '{"name":"own"}' })
    const before = host.asked.length
    for (const path of ['/ipfs/..%2f..%2fadmin', '/ipfs/..%5cadmin', '/ipfs/', `/ipfs/${cid}/own.json`, '/admin']) {
      expect(await errorOf(`${host.url}${path}`)).toContain('private network')
      const nft = await mint(JSON.stringify({ name: 'Shown', image: `${host.url}${path}` }))
      await getNftMetadata(server.context, chain, nft, { asker })
      const picture = getNftPicture(server.context, chain, nft, asker)
      await expect(picture).rejects.toMatchObject({ message: expect.stringContaining('private network') })
    }
    expect(host.asked.slice(before)).toEqual([])
    // A gateway's redirect is parsed and rebuilt: it leads to content or nowhere.
    const to = (location: string) => ({ status: 302, headers: { location } })
    host.answers.set(`/ipfs/${cid}/up`, to('/ipfs/..%2f..%2fadmin'))
    host.answers.set(`/ipfs/${cid}/next`, to(`/ipfs/${cid}/own.json?x=..`))
    expect(await errorOf(`ipfs://${cid}/up`)).toContain('private network')
    expect((await read(`ipfs://${cid}/next`)).metadata).toEqual({ name: 'own' })
    expect(host.asked.slice(before)).toEqual([`/ipfs/${cid}/up`, `/ipfs/${cid}/next`, `/ipfs/${cid}/own.json`])
  })

  test('SEC-26: with an allowlist of hosts no other is asked', async () => {
    const settings = { ...server.context.config.nft, allowPrivateAddresses: true, hosts: ['127.0.0.1'] }
    const accepts = () => true
    const { signal } = new AbortController()
    const get = (url: string) => {
      const place = resolveUri(settings, url)
      if (!place) throw new Error('no place')
      return fetchDocument(place, { settings, accepts, signal })
    }
    const { port } = new URL(inside.url)
    inside.answers.set('/named.json', { body: '{}' })
    inside.answers.set('/away', { status: 302, headers: { location: `http://localhost:${port}/named.json` } })
    expect((await get(`${inside.url}/named.json`)).bytes.toString()).toBe('{}')
    await expect(get(`http://localhost:${port}/named.json`)).rejects.toThrow('nft.hosts')
    await expect(get(`${inside.url}/away`)).rejects.toThrow('nft.hosts')
    inside.asked.length = 0
  })

  test('size, type, time and form are bounded', async () => {
    const at = (name: string, answer: Answer) => {
      host.answers.set(`/ipfs/${cid}/${name}`, answer)
      return errorOf(`ipfs://${cid}/${name}`)
    }
    const large = `{"name":"${'x'.repeat(30_000)}"}`
    expect(await at('large', { body: large })).toContain('larger than')
    expect(await at('endless', { body: large, headers: { 'transfer-encoding': 'chunked' } })).toContain('larger than')
    expect(await at('page', { type: 'text/html', body: '{}' })).toContain('text/html')
    expect(await at('packed', { body: 'x', headers: { 'content-encoding': 'gzip' } })).toContain('compressed')
    expect(await at('slow', { body: '{}', wait: 20_000 })).toContain('3000 milliseconds')
    expect(await at('list', { body: '[1]' })).toContain('not a JSON object')
    expect(await at('text', { body: 'hello' })).toContain('not JSON')
    expect(await at('deep', { body: `{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}` })).toContain('nested')
    expect(await at('gone', { status: 404 })).toContain('404')
    expect(await errorOf(`data:application/json,{"name":"${'x'.repeat(20_000)}"}`)).toContain('larger than')
    expect(await errorOf('')).toContain('no URI')
  })

  test('leaves out values that no database stores', async () => {
    const { metadata } = await read('{"na\\u0000me":"a\\u0000b\\ud800c","__proto__":{"x":1}}')
    expect(metadata?.name).toBe('ab\ufffdc')
    expect(({} as { x?: number }).x).toBeUndefined()
  })
})

describe('pictures', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  const picture = async (image: string) => {
    const nft = await mint(JSON.stringify({ name: 'Shown', image }))
    await getNftMetadata(server.context, chain, nft, { asker })
    return getNftPicture(server.context, chain, nft, asker)
  }

  test('R27: a picture comes through the server, once, as what its bytes say it is', async () => {
    host.answers.set(`/ipfs/${cid}/p.png`, { type: 'image/jpeg', body: png })
    const before = host.asked.length
    expect(await picture(`ipfs://${cid}/p.png`)).toEqual({ type: 'image/png', bytes: png })
    await picture(`ipfs://${cid}/p.png`)
    expect(host.asked.slice(before)).toEqual([`/ipfs/${cid}/p.png`])
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
    expect((await picture(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`)).type).toBe(
      'image/svg+xml',
    )
  })

  test('P13: blanks in front of a picture cost nothing; declarations and comments are passed over', () => {
    const start = performance.now()
    for (const blank of [' ', '\n', '<!--', '<!---->', '<?xml', '<?xml> ', '<!DOCTYPE svg> '])
      expect(sniffPicture(Buffer.from(blank.repeat(4_096)))).toBeUndefined()
    expect(performance.now() - start).toBeLessThan(20_000)
    const svg = '\uFEFF <?xml version="1.0"?>\n<!-- by > hand -->\n<!DOCTYPE svg PUBLIC "a" "b">\n<!-- x --><SVG >'
    expect(sniffPicture(Buffer.from(svg))).toBe('image/svg+xml')
    for (const none of ['<html><svg>', '<svgs>', 'text <svg>', '<!-- <svg>', '<?xml <svg'])
      expect([none, sniffPicture(Buffer.from(none))]).toEqual([none, undefined])
  })

  test('does not serve other content, or content inside the network', async () => {
    host.answers.set(`/ipfs/${cid}/page`, { type: 'image/png', body: '<html><script>alert(1)</script></html>' })
    host.answers.set(`/ipfs/${cid}/html`, { type: 'text/html', body: png })
    const no = { code: 101 }
    await expect(picture(`ipfs://${cid}/page`)).rejects.toMatchObject({
      ...no,
      message: expect.stringContaining('is not an image'),
    })
    await expect(picture(`ipfs://${cid}/html`)).rejects.toMatchObject({
      ...no,
      message: expect.stringContaining('text/html'),
    })
    await expect(picture(`${inside.url}/secret.png`)).rejects.toMatchObject({
      message: expect.stringContaining('private'),
    })
    await expect(picture('data:image/png,<html>')).rejects.toMatchObject(no)
    await expect(picture('')).rejects.toMatchObject(no)
    expect(inside.asked).not.toContain('/secret.png')
  })
})

test('SEC-29: an endless address of a picture is not kept in memory', async () => {
  const nft = await mint(JSON.stringify({ name: 'Long', image: `${inside.url}/${'a'.repeat(6_000)}` }))
  await getNftMetadata(server.context, chain, nft, { asker })
  await expect(getNftPicture(server.context, chain, nft, asker)).rejects.toMatchObject({ code: 101 })
  const kept = [...(server.context.services.pictures?.keys() ?? [])]
  expect(kept.filter((uri) => uri.length > 4_000)).toEqual([])
})

describe('the picture of a name', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  const base64 = png.toString('base64')
  const path = '/chain/local/names/ada.eth/picture'
  const shows = async (avatar: string) => {
    await send('NameResolver', resolver, 'setText', namehash('ada.eth'), 'avatar', avatar)
    return server.call('GET', path)
  }
  beforeAll(async () => {
    const own = (parent: Hex, label: string) =>
      send('NameRegistry', registry, 'setSubnodeRecord', parent, labelhash(label), deployer.address, resolver, 0n)
    await own(zeroHash, 'eth')
    await own(namehash('eth'), 'ada')
    await send('NameResolver', resolver, 'setAddr', namehash('ada.eth'), deployer.address)
  })

  test('R27: by ipfs, in its record, or of an NFT that it has', async () => {
    expect((await shows('')).body).toMatchObject({ code: 101, error: 'The name has no avatar.' })
    host.answers.set(`/ipfs/${cid}/ada.png`, { type: 'image/png', body: png })
    const shown = { status: 200, body: { result: { type: 'image/png', base64 } } }
    expect(await shows(`ipfs://${cid}/ada.png`)).toMatchObject(shown)
    expect(await shows(`data:image/png;base64,${base64}`)).toMatchObject(shown)
    const { tokenId } = await mint(JSON.stringify({ name: 'Own', image: `ipfs://${cid}/ada.png` }))
    const nft = `eip155:${node.chainId}/erc721:${pictures}`
    expect(await shows(`${nft}/${tokenId}`)).toMatchObject(shown)
    const empty = await mint('{"name":"Without"}')
    expect(await shows(`${nft}/${empty.tokenId}`)).toMatchObject({ status: 404, body: { code: 101 } })
    const unread = await mint(`ipfs://${cid}/nowhere.json`)
    expect((await shows(`${nft}/${unread.tokenId}`)).body.error).toContain('404')
  })

  test('does not serve other content, content inside the network, or content of others', async () => {
    const before = inside.asked.length
    const refused = async (avatar: string) => {
      const { status, body } = await shows(avatar)
      expect([avatar, status, body.code]).toEqual([avatar, 404, 101])
      return body.error
    }
    expect(await refused(`${inside.url}/ada.png`)).toContain('private network')
    host.answers.set(`/ipfs/${cid}/away`, { status: 302, headers: { location: `${inside.url}/ada.png` } })
    expect(await refused(`ipfs://${cid}/away`)).toContain('private network')
    expect(await refused('data:image/png,<script>alert(1)</script>')).toContain('is not an image')
    for (const none of ['javascript:alert(1)', 'data:text/html,<svg>', 'ipns://ada.eth', 'file:///etc/passwd', '../x'])
      expect(await refused(none)).toBe('The name has no avatar.')
    await send('Pictures', pictures, 'mint', registry, BigInt(++minted), `{"image":"data:image/png;base64,${base64}"}`)
    expect(await refused(`eip155:${node.chainId}/erc721:${pictures}/${minted}`)).toBe('The name has no avatar.')
    expect(inside.asked.length).toBe(before)
    expect((await server.call('GET', '/chain/local/names/no%20name/picture')).body.code).toBe(162)
  })
})

describe('cache', () => {
  test('a list waits for nothing: what is unknown is fetched once, and there the next time', async () => {
    host.answers.set(`/ipfs/${cid}/kept`, { body: '{"name":"Kept"}', wait: 50 })
    const nfts = [await mint(`ipfs://${cid}/kept`), await mint('{"name":"Own"}')]
    const before = host.asked.length
    const first = await listNftMetadata(server.context, chain, nfts, asker)
    await listNftMetadata(server.context, chain, nfts, asker)
    expect(first.map(({ metadata }) => metadata)).toEqual([undefined, undefined])
    await server.context.background.settle()
    const then = await listNftMetadata(server.context, chain, nfts, asker)
    expect(then.map(({ metadata }) => metadata)).toEqual([{ name: 'Kept' }, { name: 'Own' }])
    expect(host.asked.slice(before)).toEqual([`/ipfs/${cid}/kept`])
  })

  test('metadata is fetched again when asked; what fails takes nothing away and is tried again later', async () => {
    const path = `/ipfs/${cid}/again`
    host.answers.set(path, { body: '{"name":"One"}' })
    const nft = await mint(`ipfs://${cid}/again`)
    const get = (fresh = false) => getNftMetadata(server.context, chain, nft, { asker, fresh })
    expect((await get()).metadata).toEqual({ name: 'One' })
    host.answers.set(path, { body: '{"name":"Two"}' })
    expect((await get()).metadata).toEqual({ name: 'One' })
    expect((await get(true)).metadata).toEqual({ name: 'Two' })
    host.answers.set(path, { status: 500 })
    expect(await get(true)).toMatchObject({ metadata: { name: 'Two' }, error: expect.stringContaining('500') })
    const asked = host.asked.length
    await get()
    expect(host.asked.length).toBe(asked)
    host.answers.set(path, { body: '{"name":"Three"}' })
    server.clock.forward(601_000)
    expect(await get()).toMatchObject({ metadata: { name: 'Three' }, error: undefined })
    node.faults.down = true
    server.clock.forward(8 * 24 * 3_600_000)
    expect((await get()).metadata).toEqual({ name: 'Three' })
    node.faults.down = false
  })
})
