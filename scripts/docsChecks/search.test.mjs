// Questions of newcomers lead to the page that has the response to them.
import { expect, test } from 'vitest'
import { createSearch, stem } from '../site/search.js'
import { readSite, writeIndex } from '../steps/buildSite.mjs'

const { pages } = await readSite()
const search = createSearch(writeIndex(pages))
const pageOf = (/** @type {string | undefined} */ url) => url?.split('#')[0]

/** @type {[question: string, ...pages: string[]][]} pages that the first result may be on */
const questions = [
  ['upload a file', 'files'],
  ['deploy', 'deploy'],
  ['forgot password', 'account-recovery'],
  ['how do I get started', 'quick-start'],
  ['install in an existing react app', 'quick-start', 'session-layer'],
  ['login with metamask', 'wallets'],
  ['sign in with google', 'sign-in-providers'],
  ['magic link', 'email-code'],
  ['enable 2fa', 'second-factor'],
  ['add a passkey', 'passkeys'],
  ['who can read my data', 'access'],
  ['make a document private', 'access'],
  ['create a role', 'access'],
  ['realtime updates', 'live-queries'],
  ['query with filter and sort', 'queries', 'documents'],
  ['pagination', 'sdk-integrations', 'queries'],
  ['full text search', 'queries'],
  ['add a field to a class', 'schema', 'access'],
  ['cron job', 'jobs'],
  ['call a function on the server', 'functions'],
  ['send a webhook', 'webhooks'],
  ['push notification', 'push'],
  ['nft balance of a wallet', 'chain-data', 'chain-data-hooks'],
  ['read a smart contract', 'chain-calls'],
  ['index contract events', 'contract-events'],
  ['token gated content', 'token-gates', 'tutorial-token-gate'],
  ['solana', 'solana'],
  ['use with next.js', 'server-rendering'],
  ['environment variables', 'configuration'],
  ['restore a backup', 'backups'],
  ['migrate from parse server', 'tutorial-parse-server'],
  ['replace react-moralis', 'migrate-react', 'moralis', 'tutorial-react-moralis'],
  ['rotate the master key', 'keys'],
  ['prometheus metrics', 'monitoring'],
  ['how many users can it handle', 'scaling'],
  ['change the logo and colors', 'brand'],
  ['translate the sign-in dialog', 'i18n'],
  ['delete my account', 'sign-in-methods'],
  ['rate limit', 'configuration'],
  ['what does error 209 mean', 'errors'],
  ['cors', 'configuration'],
  ['websocket behind nginx', 'deploy', 'live-queries'],
  ['https certificate', 'deploy'],
  ['multiple servers', 'scaling'],
  ['dark mode', 'brand', 'sign-in-sheet'],
  ['price of a token', 'chain-data', 'chain-data-hooks'],
  ['verify nft ownership', 'token-gates'],
  ['ban a user', 'console'],
  ['too many requests', 'configuration'],
  ['postgres connection string', 'configuration'],
  ['sort results newest first', 'queries', 'documents'],
  ['sum and group by', 'aggregates'],
  ['invite only sign up', 'sign-up-rules'],
  ['hide email address from other users', 'access'],
  ['docker compose', 'deploy'],
  ['roll back to the previous version', 'deploy'],
  ['find places near me', 'queries', 'documents'],
  ['react native expo', 'sdk-integrations', 'session-layer'],
  ['use it from svelte', 'sdk-integrations', 'quick-start'],
  ['maximum upload size', 'files', 'configuration'],
  ['configure smtp', 'configuration'],
  ['api key for a script', 'access-tokens', 'keys'],
  ['connect claude or chatgpt', 'agents'],
  ['i lost my phone', 'account-recovery'],
  ['app works without internet', 'offline'],
  ['transaction stuck pending', 'sent-transactions'],
  ['transfer history of an address', 'chain-data', 'chain-data-hooks'],
  ['who changed this setting', 'audit-log'],
  ['link a second wallet to my account', 'wallets', 'sign-in-methods', 'merge-accounts'],
  ['change my password', 'sign-in-methods', 'account-actions', 'account-recovery'],
  ['validate the input of a function', 'functions'],
  ['unique index', 'schema'],
  ['many to many relation', 'documents', 'schema', 'queries'],
  ['store uploads in s3', 'files'],
  ['where are the server logs', 'monitoring'],
  ['read replica', 'scaling', 'large-classes', 'configuration'],
  ['set the ethereum rpc url', 'chain-settings'],
  ['optimistic update', 'sdk-integrations', 'session-layer', 'documents', 'live-queries'],
  ['import from mongodb', 'import', 'tutorial-parse-server'],
  ['retry failed webhooks', 'webhooks'],
]

test('there are 80 questions', () => expect(questions).toHaveLength(80))

test.each(questions)('%s', (question, ...expected) => {
  expect(expected).toContain(pageOf(search(question)[0]?.url))
})

/** @type {[typed: string, page: string][]} */
const typos = [
  ['pasword reset', 'account-recovery'],
  ['deplyo', 'deploy'],
  ['webhok', 'webhooks'],
  ['passkeis', 'passkeys'],
  ['bakup', 'backups'],
  ['solanna', 'solana'],
  ['live qeries', 'live-queries'],
]

test.each(typos)('finds "%s" despite the typing mistake', (typed, page) => {
  expect(pageOf(search(typed)[0]?.url)).toBe(page)
})

test('a name is found by its first letters, and first under its whole name', () => {
  expect(search('useLiveDoc')[0]?.title).toBe('useLiveDocuments')
  expect(search('useLiveDocuments')[0]?.title).toBe('useLiveDocuments')
  expect(search('trustProxy')[0]?.url).toBe('configuration#trustProxy')
  expect(search('invalidCredentials')[0]?.url).toBe('errors#invalidCredentials')
})

test('a name of several tables is listed once', () => {
  const titles = search('forgot password').map(({ title }) => title)
  expect(titles).toContain('resetPassword')
  expect(titles).toEqual([...new Set(titles)])
})

test('a title outweighs a heading, and a heading the text', () => {
  const entry = (/** @type {string} */ title, page = title, text = '') => ({
    title,
    page,
    url: title,
    hint: '',
    text,
    weight: 1,
  })
  const entries = [
    entry('Storage', 'Storage', 'upload'),
    entry('Upload', 'Storage'),
    entry('Upload files', 'Upload files'),
  ]
  const find = createSearch({ entries, synonyms: [] })
  expect(find('upload files').map(({ url }) => url)).toEqual(['Upload files', 'Upload', 'Storage'])
  expect(find('nothing of it')).toEqual([])
  expect(find('  ')).toEqual([])
})

test('endings of words do not matter', () => {
  expect(['uploads', 'uploaded', 'uploading'].map(stem)).toEqual(['upload', 'upload', 'upload'])
  expect(['queries', 'access', 'stopped', 'class', 'status'].map(stem)).toEqual([
    'query',
    'access',
    'stop',
    'class',
    'status',
  ])
})
