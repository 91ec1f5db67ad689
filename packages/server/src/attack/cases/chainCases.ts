import { type AttackCase, casesOf } from '../AttackCase.ts'
import { guest } from '../createScene.ts'

/** Values that would send a careless server to a host of the caller's choice. */
const hosts = [
  'http://169.254.169.254/latest/meta-data',
  'http://127.0.0.1:22',
  'file:///etc/passwd',
  '//evil.example',
  '@evil.example',
  'gopher://127.0.0.1:6379/_x',
]

const make = casesOf('chain')

export const chainCases: AttackCase[] = [
  make('no input names a host', 'SEC-1, SEC-26', async (scene, { stranger }) => {
    for (const host of hosts) {
      const text = encodeURIComponent(host)
      for (const path of [
        `/chain/${text}`,
        `/chain/1/addresses/${text}`,
        `/chain/1/names/${text}`,
        `/chain/1/names/${text}/picture`,
        `/chain/1/nfts/${text}/1`,
        `/chain/1/nfts/0x${'ab'.repeat(20)}/${text}/picture`,
        `/portfolio/${text}`,
        `/solana/${text}/addresses/x/balance`,
      ])
        scene.refused(await scene.call(stranger, 'GET', path), `${path.split('/')[1]} accepts ${host}.`)
      await scene.call(stranger, 'POST', '/chain/1/call', { to: host, data: host, url: host, rpc: host })
      scene.refused(
        await scene.call(guest, 'POST', '/auth/challenge', { address: host, chainId: host, namespace: host }),
        'A challenge is made for a URL.',
      )
    }
  }),
  make('odd chains, addresses and amounts are refused', 'S7, S13, SEC-29', async (scene, { stranger }) => {
    const address = `0x${'ab'.repeat(20)}`
    for (const chain of ['0', '-1', '1e3', '0x', '99999999999999999999', 'constructor', '__proto__', '%00', 'eth%20']) {
      await scene.call(stranger, 'GET', `/chain/${chain}`)
      await scene.call(stranger, 'GET', `/chain/${chain}/addresses/${address}/balance`)
    }
    for (const odd of [
      '0x',
      address.slice(0, -1),
      `${address}00`,
      `0X${'AB'.repeat(20)}`,
      `0x${'Ab'.repeat(20)}`,
      '0x0',
      'constructor',
      `${address}%0a`,
      `${address}%00`,
    ]) {
      await scene.call(stranger, 'POST', '/auth/challenge', { address: decodeURIComponent(odd), chainId: 1 })
      await scene.call(stranger, 'GET', `/portfolio/${odd}`)
    }
    for (const chainId of [0, -1, 1.5, 1e21, '1', null, {}, [1]])
      await scene.call(stranger, 'POST', '/auth/challenge', { address, chainId })
  }),
]
