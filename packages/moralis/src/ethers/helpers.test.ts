// @vitest-environment node
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { getDefaultProvider as getEthersProvider, providers, utils } from 'ethers'
import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { type Counterpart, startCounterpart } from '../../../react/src/testing/startCounterpart.ts'
import * as entry from '../ethers.ts'
import {
  commify,
  formatBytes32String,
  formatEther,
  formatUnits,
  getDefaultProvider,
  type ProviderLike,
  parseBytes32String,
  parseEther,
  parseUnits,
  solidityKeccak256,
  solidityPack,
  soliditySha256,
  toEip1193Provider,
  type UnitName,
} from '../ethers.ts'

test('the export list of @countersign/moralis/ethers, which needs no page to be imported', () => {
  expect(Object.keys(entry).sort()).toEqual([
    'HelperError',
    'commify',
    'formatBytes32String',
    'formatEther',
    'formatUnits',
    'getDefaultProvider',
    'parseBytes32String',
    'parseEther',
    'parseUnits',
    'solidityKeccak256',
    'solidityPack',
    'soliditySha256',
    'toEip1193Provider',
  ])
})

type Outcome = { readonly value: string } | { readonly reason: string; readonly code: string | undefined }

/** Result of a call, or reason and code of its refusal. */
function outcome(call: () => unknown): Outcome {
  try {
    return { value: String(call()) }
  } catch (error) {
    const { reason, message, ethersCode, code } = error as Record<string, string>
    return { reason: reason ?? message ?? '', code: ethersCode ?? code }
  }
}

function expectSame(ours: () => unknown, theirs: () => unknown): void {
  const [mine, wanted] = [outcome(ours), outcome(theirs)]
  // Some errors of ethers have no code.
  const isBare = 'code' in mine && 'code' in wanted && wanted.code === undefined
  expect(isBare ? { ...mine, code: undefined } : mine).toEqual(wanted)
}

const units: (UnitName | number)[] = ['wei', 'kwei', 'mwei', 'gwei', 'szabo', 'finney', 'ether', 0, 1, 6, 18, 77, 256]
const integers = [0n, 1n, -1n, 9n, 10n, 999n, 1000n, 10n ** 18n, -(10n ** 18n), 15n * 10n ** 17n, 2n ** 256n - 1n]
const decimals = [
  '0',
  '1',
  '1.0',
  '1.',
  '.5',
  '-.5',
  '-1.50',
  '00012.3400',
  '0.1',
  '123456789.987654321',
  '1.000000001',
]
const wrong = ['', '.', '-', '-.', '1..2', '1.2.3', '1e3', ' 1', '1 ', '0x10', 'a', '1,000', '+1', '--1', '１']
const anyUnit = fc.oneof(fc.constantFrom(...units), fc.integer({ min: 0, max: 256 }))
const runs = { numRuns: 300 }

describe('R17: units are those of ethers 5', () => {
  test('formatUnits and formatEther, with unit names, 0 to 256 and 18 by default', () => {
    for (const value of integers) {
      for (const unit of units)
        expectSame(
          () => formatUnits(value, unit),
          () => utils.formatUnits(value, unit),
        )
      expectSame(
        () => formatUnits(value),
        () => utils.formatUnits(value),
      )
      expectSame(
        () => formatEther(value),
        () => utils.formatEther(value),
      )
    }
    const property = fc.property(fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n }), anyUnit, (value, unit) =>
      expectSame(
        () => formatUnits(value, unit),
        () => utils.formatUnits(value, unit),
      ),
    )
    fc.assert(property, runs)
    expect(formatUnits(10n ** 18n)).toBe('1.0')
  })

  test('formatUnits takes numbers, texts, bytes and BigNumbers', () => {
    const { BigNumber } = { BigNumber: utils.parseUnits('7', 0).constructor as unknown as { from(v: unknown): object } }
    const big = BigNumber.from('0x1234567890abcdef1234567890abcdef')
    const json = JSON.parse(JSON.stringify(big))
    const values = [5, -5, 2 ** 52, '5', '-5', '0x1f', '-0x1f', '0X1f', Uint8Array.of(1, 0), big, json]
    for (const value of values.filter((one) => one !== '0X1f')) {
      expectSame(
        () => formatUnits(value as never, 3),
        () => utils.formatUnits(value as never, 3),
      )
    }
    const refused = [
      1.5,
      2 ** 53,
      -(2 ** 53),
      Number.POSITIVE_INFINITY,
      Number.NaN,
      '',
      '0x',
      '1.5',
      'x',
      null,
      undefined,
    ]
    for (const value of [...refused, {}, true, { type: 'BigNumber', hex: 'no' }]) {
      expectSame(
        () => formatUnits(value as never, 3),
        () => utils.formatUnits(value as never, 3),
      )
    }
  })

  test('parseUnits and parseEther, and rejected input', () => {
    for (const value of [...decimals, ...wrong]) {
      for (const unit of units)
        expectSame(
          () => parseUnits(value, unit),
          () => utils.parseUnits(value, unit),
        )
      expectSame(
        () => parseUnits(value),
        () => utils.parseUnits(value),
      )
      expectSame(
        () => parseEther(value),
        () => utils.parseEther(value),
      )
    }
    for (const value of [1, 1n, null, {}]) {
      expectSame(
        () => parseUnits(value as never),
        () => utils.parseUnits(value as never),
      )
    }
    expect(() => parseUnits('1.5', 0)).toThrow('fractional component exceeds decimals')
  })

  test('parseUnits on random decimals, back by formatUnits', () => {
    const digits = fc.stringMatching(/^-?[0-9]{0,40}\.?[0-9]{0,30}$/)
    const property = fc.property(digits, anyUnit, (value, unit) =>
      expectSame(
        () => parseUnits(value, unit),
        () => utils.parseUnits(value, unit),
      ),
    )
    fc.assert(property, runs)
    fc.assert(fc.property(fc.bigInt(), anyUnit, (value, unit) => parseUnits(formatUnits(value, unit), unit) === value))
  })

  test('a unit that there is not', () => {
    for (const unit of ['Ether', 'eth', '', 'x', -1, 257, 1.5, Number.NaN, {}, true]) {
      expectSame(
        () => parseUnits('1', unit as never),
        () => utils.parseUnits('1', unit as never),
      )
      expectSame(
        () => formatUnits(1, unit as never),
        () => utils.formatUnits(1, unit as never),
      )
    }
    expect(outcome(() => parseUnits('1', 'eth' as never))).toEqual({
      reason: 'invalid decimal size',
      code: 'INVALID_ARGUMENT',
    })
  })

  test('commify', () => {
    for (const value of [...decimals, ...wrong, '1234567.80', '-1234', '100', '1000', '-0', '00', '1.', '0.000']) {
      expectSame(
        () => commify(value),
        () => utils.commify(value),
      )
    }
    const property = fc.property(fc.stringMatching(/^-?[0-9]{0,30}\.?[0-9]{0,9}$/), (value) =>
      expectSame(
        () => commify(value),
        () => utils.commify(value),
      ),
    )
    fc.assert(property, runs)
  })
})

describe('R17: texts in bytes32 are those of ethers 5', () => {
  test('formatBytes32String, and back', () => {
    const texts = [
      '',
      'a',
      'hello',
      'ä'.repeat(15),
      'a'.repeat(31),
      'a'.repeat(32),
      '😀'.repeat(7),
      '😀'.repeat(8),
      'a\0b',
    ]
    const property = fc.property(fc.string({ unit: 'binary', maxLength: 34 }), (text) =>
      expectSame(
        () => formatBytes32String(text),
        () => utils.formatBytes32String(text),
      ),
    )
    fc.assert(property, runs)
    for (const text of texts)
      expectSame(
        () => formatBytes32String(text),
        () => utils.formatBytes32String(text),
      )
    for (const text of texts.filter((one) => utils.toUtf8Bytes(one).length < 32)) {
      expect(parseBytes32String(formatBytes32String(text))).toBe(text)
    }
    expect(() => formatBytes32String('a'.repeat(32))).toThrow('bytes32 string must be less than 32 bytes')
    expect(() => formatBytes32String('\ud800')).toThrow('invalid utf-8 string')
  })

  test('parseBytes32String, and rejected input', () => {
    const zero = `0x${'00'.repeat(32)}`
    const values = [zero, `0x${'61'.repeat(31)}00`, `0x${'61'.repeat(32)}`, '0x', '0x61', `0x6100${'62'.repeat(29)}00`]
    const property = fc.property(fc.string({ unit: 'binary', maxLength: 12 }), (text) => {
      const bytes = utils.formatBytes32String([...text].slice(0, 7).join(''))
      return parseBytes32String(bytes) === utils.parseBytes32String(bytes)
    })
    fc.assert(property, runs)
    for (const value of values)
      expectSame(
        () => parseBytes32String(value),
        () => utils.parseBytes32String(value),
      )
    for (const value of ['0x1', 'no', [256]]) {
      expectSame(
        () => parseBytes32String(value as never),
        () => utils.parseBytes32String(value as never),
      )
    }
    expect(() => parseBytes32String(`0xff${'00'.repeat(31)}`)).toThrow('invalid codepoint')
  })
})

describe('R17: number and byte types are those of ethers 5', () => {
  const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

  test('every number type to 256 bits in multiples of 8, and no other', () => {
    for (let bits = 0; bits <= 264; bits++) {
      for (const type of [`uint${bits}`, `int${bits}`, `uint0${bits}`]) {
        expectSame(
          () => solidityPack([type], [1]),
          () => utils.solidityPack([type], [1]),
        )
      }
    }
    for (const type of ['uint', 'int', 'uint256[]', 'uinty', 'fixed']) {
      const value = type.endsWith(']') ? [1, 2] : 1
      expectSame(
        () => solidityPack([type], [value]),
        () => utils.solidityPack([type], [value]),
      )
    }
  })

  test('every byte type to 32 bytes, and no other', () => {
    for (let size = 0; size <= 34; size++) {
      for (const given of [size, size + 1]) {
        const value = `0x${'ab'.repeat(given)}`
        const types = [`bytes${size}`]
        expectSame(
          () => solidityPack(types, [value]),
          () => utils.solidityPack(types, [value]),
        )
        expectSame(
          () => solidityPack([`${types}[]`], [[value]]),
          () => utils.solidityPack([`${types}[]`], [[value]]),
        )
      }
    }
  })

  test('packed values and their hashes', () => {
    const cases: [string[], unknown[]][] = [
      [
        ['address', 'bool', 'string', 'bytes'],
        [address, true, 'ä😀', '0x0102'],
      ],
      [
        ['address[]', 'bool[2]', 'int8[]', 'string[]'],
        [[address], [true, false], [-1, 1], ['a', 'b']],
      ],
      [
        ['uint8', 'int16', 'int256'],
        [255, -2, -(2n ** 255n)],
      ],
      [['bool[3]'], [[true]]],
      [['tuple'], [1]],
      [['uint8[]'], [5]],
      [['uint8'], ['x']],
      [['bytes'], ['0x123']],
      [[], []],
    ]
    for (const [types, values] of cases) {
      expectSame(
        () => solidityPack(types, values),
        () => utils.solidityPack(types, values),
      )
      expectSame(
        () => solidityKeccak256(types, values),
        () => utils.solidityKeccak256(types, values),
      )
      expectSame(
        () => soliditySha256(types, values),
        () => utils.soliditySha256(types, values),
      )
    }
    const random = fc.tuple(fc.integer({ min: 1, max: 32 }), fc.boolean(), fc.bigInt({ min: 0n, max: 2n ** 255n }))
    const property = fc.property(random, ([size, isSigned, some]) => {
      const bits = size * 8
      const value = isSigned ? BigInt.asIntN(bits, some) : BigInt.asUintN(bits, some)
      const types = [isSigned ? `int${bits}` : `uint${bits}`, isSigned ? `int${bits}[]` : `uint${bits}[1]`]
      expectSame(
        () => solidityPack(types, [value, [value]]),
        () => utils.solidityPack(types, [value, [value]]),
      )
    })
    fc.assert(property, runs)
  })

  test('rejects values that ethers would pack as something else', () => {
    expect(() => solidityPack(['uint8'], [[1, 2]])).toThrow('invalid BigNumber value')
    expect(() => solidityPack(['uint8'], [])).toThrow('wrong number of values; expected 1')
    expect(() => solidityPack(['uint8'], [256])).toThrow('value out of range')
    expect(() => solidityPack(['uint8'], [-1])).toThrow('value out of range')
    expect(() => solidityPack(['int8'], [128])).toThrow('value out of range')
    expect(() => solidityPack(['address'], ['0x01'])).toThrow('invalid value for address')
  })
})

describe('R17: the default provider', () => {
  const open: Counterpart[] = []
  afterEach(async () => {
    vi.unstubAllGlobals()
    await Promise.all(open.splice(0).map((node) => node.close()))
  })

  /** A node that responds with its name. */
  async function startNode(name: string): Promise<string> {
    const node = await startCounterpart(({ body }) => ({ body: { id: JSON.parse(body).id, result: name } }))
    open.push(node)
    return node.serverUrl
  }

  const ask = (provider: { request(call: { method: string }): Promise<unknown> }) =>
    provider.request({ method: 'web3_clientVersion' })

  test('by name, by number and by address; homestead when nothing is given', async () => {
    const chains = [
      { id: 1, rpcUrls: [await startNode('one')] },
      { id: 137, name: 'Polygon', rpcUrls: [await startNode('polygon')] },
    ]
    expect(await ask(getDefaultProvider(undefined, { chains }))).toBe('one')
    expect(await ask(getDefaultProvider('homestead', { chains }))).toBe('one')
    expect(await ask(getDefaultProvider('mainnet', { chains }))).toBe('one')
    expect(await ask(getDefaultProvider('matic', { chains }))).toBe('polygon')
    expect(await ask(getDefaultProvider('polygon', { chains }))).toBe('polygon')
    expect(await ask(getDefaultProvider(137, { chains }))).toBe('polygon')
    expect(await ask(getDefaultProvider({ name: 'matic', chainId: 137 }, { chains }))).toBe('polygon')
    expect(await ask(getDefaultProvider(chains[1]?.rpcUrls[0]))).toBe('polygon')
  })

  test('R16: a node’s error keeps its code and data', async () => {
    const node = await startCounterpart(() => ({ body: { error: { code: 3, message: 'no', data: '0x01' } } }))
    open.push(node)
    await expect(ask(getDefaultProvider(node.serverUrl))).rejects.toMatchObject({
      code: 3,
      message: 'no',
      data: '0x01',
    })
  })

  test('by WebSocket: it connects when it is asked, and again after the connection was lost', async () => {
    vi.stubGlobal('WebSocket', WebSocket)
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    await once(server, 'listening')
    let connections = 0
    server.on('connection', (socket) => {
      connections++
      socket.on('message', (text) => {
        const { id, method } = JSON.parse(String(text))
        if (method === 'cut') return socket.terminate()
        if (method === 'bad') return socket.send(JSON.stringify({ id, error: { code: 3, message: 'no', data: '0x' } }))
        socket.send('not JSON')
        socket.send(JSON.stringify({ method: 'eth_subscription', params: { subscription: '0x1' } }))
        socket.send(JSON.stringify({ id, result: method }))
      })
    })
    const { port } = server.address() as AddressInfo
    const provider = getDefaultProvider(`ws://127.0.0.1:${port}`)
    const heard: unknown[] = []
    const listener = (message: unknown) => heard.push(message)
    provider.on?.('message', listener)
    expect(connections).toBe(0)
    const answers = await Promise.all(['a', 'b'].map((method) => provider.request({ method })))
    expect(answers).toEqual(['a', 'b'])
    expect(connections).toBe(1)
    expect(heard).toHaveLength(2)
    expect(heard[0]).toEqual({ type: 'eth_subscription', data: { subscription: '0x1' } })
    await expect(provider.request({ method: 'bad' })).rejects.toMatchObject({ code: 3, data: '0x' })
    await expect(provider.request({ method: 'cut' })).rejects.toMatchObject({ code: 4900 })
    provider.removeListener?.('message', listener)
    expect(await provider.request({ method: 'c' })).toBe('c')
    expect(connections).toBe(2)
    expect(heard).toHaveLength(2)
    for (const socket of server.clients) socket.terminate()
    server.close()
    await once(server, 'close')
    await expect(provider.request({ method: 'd' })).rejects.toMatchObject({ code: 4900 })
  })

  test('a network that there is not, in the words of ethers', () => {
    for (const network of ['nowhere', '', 'toString', 'xdai', 4242]) {
      expectSame(
        () => getDefaultProvider(network as never),
        () => getEthersProvider(network as never),
      )
    }
    expect(outcome(() => getDefaultProvider())).toEqual({
      reason: 'unsupported getDefaultProvider network',
      code: 'NETWORK_ERROR',
    })
    const mismatch = { name: 'matic', chainId: 5 }
    expectSame(
      () => getDefaultProvider(mismatch),
      () => getEthersProvider(mismatch),
    )
  })

  test.each(['ftp://node.test', 'file:///etc/passwd', 'javascript:alert(1)', 'data:,x'])('%s', (address) => {
    expect(outcome(() => getDefaultProvider(address))).toEqual({
      reason: 'unsupported URL scheme',
      code: 'INVALID_ARGUMENT',
    })
    const chains = [{ id: 1, rpcUrls: [address] }]
    expect(() => getDefaultProvider('homestead', { chains })).toThrow('unsupported URL scheme')
  })

  test('accepts EIP-1193 providers and the two older forms, and rejects others', async () => {
    const request = async ({ method }: { method: string }) => method
    const send = (call: object, callback: (error: unknown, answer?: object) => void) => {
      const { method } = call as { method: string }
      callback(null, method === 'bad' ? { error: { code: 4200, message: 'bad' } } : { result: method })
    }
    for (const provider of [{ request }, { sendAsync: send }, { send }]) {
      expect(await toEip1193Provider(provider).request({ method: 'eth_chainId' })).toBe('eth_chainId')
    }
    await expect(toEip1193Provider({ send }).request({ method: 'bad' })).rejects.toMatchObject({ code: 4200 })
    for (const provider of [null, undefined, {}, { request: 5 }]) {
      const theirs = Object(provider).request ? {} : provider
      expectSame(
        () => toEip1193Provider(provider as ProviderLike),
        () => new providers.Web3Provider(theirs as never),
      )
    }
    expect(() => toEip1193Provider({} as ProviderLike)).toThrow('unsupported provider')
  })
})
