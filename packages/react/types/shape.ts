// The one shape of reads and actions. Compiling is the test.

import { useLinkedWallets, useSessions } from '../src/account.ts'
import {
  defineQuery,
  findDocuments,
  findFirstDocument,
  listLinkedWallets,
  saveUser,
  signInWithPassword,
  signInWithWallet,
} from '../src/core.ts'
import {
  type Client,
  type CountersignError,
  type User,
  useDocuments,
  useSaveDocument,
  useSession,
  useSignInWithWallet,
} from '../src/index.ts'

declare const client: Client

export async function operations(): Promise<void> {
  const quiet = await signInWithPassword(client, { username: 'ada', password: 'x' })
  quiet satisfies User | undefined
  // @ts-expect-error without throwOnError a failure resolves to undefined
  quiet satisfies User
  const loud = await signInWithPassword(client, { username: 'ada', password: 'x' }, { throwOnError: true })
  loud satisfies User
  const handled = await signInWithWallet(client, {}, { onError: (error) => error satisfies CountersignError })
  // @ts-expect-error with onError nothing is thrown
  handled satisfies User
  await saveUser(client, {}, { onSuccess: (user) => user satisfies User })
}

export async function actions(): Promise<void> {
  const wallets = await listLinkedWallets(client)
  wallets[0]?.address satisfies string | undefined
  const found = await findDocuments(client, defineQuery('Game'))
  found.length satisfies number
  const one = await findFirstDocument(client, defineQuery('Game'))
  // @ts-expect-error there may be none
  one.objectId
  // @ts-expect-error all other actions reject
  await listLinkedWallets(client, { throwOnError: true })
}

export function useShapes(): void {
  const { status, user, error, operation } = useSession()
  user?.username satisfies string | undefined
  error?.code satisfies number | undefined
  operation satisfies 'signIn' | 'signOut' | 'restore' | undefined
  status satisfies string
  const { data, fetchStatus, isFetching, isPlaceholderData } = useSessions({
    enabled: false,
    staleTime: 1000,
    retry: 2,
  })
  data?.[0]?.current satisfies boolean | undefined
  fetchStatus satisfies 'fetching' | 'idle'
  isFetching satisfies boolean
  isPlaceholderData satisfies boolean
  const { data: count } = useLinkedWallets({ select: (wallets) => wallets.length })
  count satisfies number | undefined
  const { data: ids } = useDocuments('Game', {
    select: (rows) => rows.map(({ objectId }) => objectId),
    initialData: [],
  })
  ids satisfies readonly string[] | undefined
  // @ts-expect-error what is selected is not what was read
  ids?.[0]?.objectId
}

export async function useRuns(): Promise<void> {
  const { signInWithWallet: authenticate } = useSignInWithWallet()
  const user = await authenticate({}, { throwOnError: true })
  user satisfies User
  const { create } = useSaveDocument('Game')
  const row = await create({ title: 'Go' }, { throwOnError: true })
  row.objectId satisfies string
}
