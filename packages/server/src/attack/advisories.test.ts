import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listEndpoints } from './AttackClass.ts'
import { ownCases } from './cases/ownCases.ts'
import { walkEndpoint } from './walkEndpoint.ts'

/** Advisories of parse-server, and issues of the same kind, that a case of the attack tries from outside. */
const fromOutside = [
  ...['GHSA-p6h4-93qp-jhcm', 'GHSA-prm5-8g2m-24gg', 'GHSA-462x-c3jw-7vr6', 'GHSA-93vw-8fm5-p2jf', 'CVE-2026-30938'],
  ...['GHSA-6hh7-46r2-vf29', 'GHSA-5j86-7r7m-p8h6', 'GHSA-4263-jgmp-7pf4', 'GHSA-vpj2-qq7w-5qq6'],
  ...['GHSA-6927-3vr9-fxf2', 'GHSA-c2hr-cqg6-8j6r', 'GHSA-qpr4-jrj4-6f27', 'CVE-2026-31840', 'GHSA-q3vj-96h2-gwvg'],
  ...['GHSA-gqpp-xgvh-9h7h', 'GHSA-c442-97qw-j6c6', 'GHSA-p2w6-rmh7-w8q3', 'GHSA-vgjh-hmwf-c588'],
  ...['GHSA-72hp-qff8-4pvv', 'CVE-2026-31872', 'GHSA-r2m8-pxm9-9c4g', 'GHSA-2m6g-crv8-p3c6', 'GHSA-wmwx-jr2p-4j4r'],
  ...['GHSA-g4v2-qx3q-4p64', 'GHSA-7pr3-p5fm-8r9x', 'GHSA-2xm2-xj2q-qgpj', 'GHSA-crrq-vr9j-fxxh', 'CVE-2026-30947'],
  ...['CVE-2026-33421', 'GHSA-fph2-r4qg-9576', 'GHSA-j7mm-f4rv-6q6q', 'GHSA-mmg8-87c5-jrc2', 'GHSA-qpc3-fg4j-8hgm'],
  ...['GHSA-m983-v2ff-wq65', 'GHSA-6w4q-23cf-j9jp', 'GHSA-5v7g-9h8f-8pgg', 'GHSA-jc39-686j-wp6q', 'CVE-2026-34574'],
  ...['GHSA-f6j3-w9v3-cq22', 'GHSA-r657-33vp-gp22', 'CVE-2026-30863', 'GHSA-837q-jhwx-cmpv', 'GHSA-fr88-w35c-r596'],
  ...[
    'GHSA-pfj7-wv7c-22pr',
    'GHSA-64mf-fqfc-3pjh',
    'GHSA-mr43-w6c2-mvjq',
    'GHSA-qf8x-vqjv-92gr',
    'GHSA-8w3j-g983-8jh5',
  ],
  ...['CVE-2026-31875', 'CVE-2026-33624', 'CVE-2026-34224', 'CVE-2026-29182', 'CVE-2026-30228', 'CVE-2026-30229'],
  ...['GHSA-5f92-jrq3-28rc', 'CVE-2026-31800', 'GHSA-fcv6-fg5r-jm9q', 'GHSA-8xq9-g7ch-35hg'],
  ...['CVE-2026-32728', 'GHSA-7wqv-xjf3-x35v', 'GHSA-v8x7-r927-cc93', 'GHSA-r899-h629-j84r', 'GHSA-9prm-jqwx-45x9'],
  ...['GHSA-hcj7-6gxh-24ww', 'GHSA-v5hf-f4c3-m5rv', 'CVE-2026-30850', 'GHSA-792q-q67h-w579', 'GHSA-xw6g-jjvf-wwf9'],
  ...['CVE-2026-47138', 'GHSA-38m6-82c8-4xfm', 'CVE-2026-34573'],
  ...[
    'GHSA-775h-3xrc-c228',
    'GHSA-p84r-h6rx-f2xr',
    'GHSA-vpvj-hfh8-388m',
    'GHSA-4jj8-x76w-v7h7',
    'GHSA-jmvh-84q9-vvrc',
  ],
  ...['GHSA-vm5r-c87r-pf6x', 'GHSA-w54v-hf9p-8856'],
  ...['parse-server#3432', 'parse-server#4150', 'parse-server#10500'],
]

/** Advisories of application code, mails, or a provider with an account: the test of each, by file and title. */
const fromInside: Record<string, [file: string, title: string]> = {
  'GHSA-xprv-wvh7-qqqx': ['webhooks/older/remoteCode.test.ts', 'P1: rejects a response that reaches for the prototype'],
  'GHSA-5hmj-jcgp-6hff': ['live/leaks.test.ts', 'P6: hooks get copies of their own'],
  'GHSA-9jpp-xhh6-75mf': ['live/leaks.test.ts', 'P6: the caller is complete'],
  'CVE-2026-43930': [
    'auth/emailCode/emailCodeAttacks.test.ts',
    'of the right code many times at once opens one session',
  ],
  'GHSA-r3xq-68wh-gwvh': [
    'users/email/mail.test.ts',
    "Array.from({ length: 20 }, () => server.call('POST', '/resetPassword'",
  ],
  'parse-server#6703': [
    'auth/providers/providerAccounts.test.ts',
    'accepts only a currently valid token of this issuer',
  ],
}

test('every known advisory has a case of the attack or a test of the server', () => {
  const sources = ownCases.flatMap((each) => each.sources.split(', '))
  expect(fromOutside.filter((advisory) => !sources.includes(advisory))).toEqual([])
  const source = join(import.meta.dirname, '..')
  const missing = Object.entries(fromInside).filter(
    ([, [file, title]]) => !readFileSync(join(source, file), 'utf8').includes(title),
  )
  expect(missing).toEqual([])
  const named = sources.filter((each) => /^(GHSA-\w{4}-\w{4}-\w{4}|CVE-|parse-server#)/.test(each))
  expect(named.filter((each) => !fromOutside.includes(each) && !(each in fromInside))).toEqual([])
})

test('every endpoint has a class and cases of its own', () => {
  const without = listEndpoints().filter((each) => each.class === undefined || walkEndpoint(each).length === 0)
  expect(without.map(({ name }) => name)).toEqual([])
})
