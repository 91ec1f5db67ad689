// Fields that an application takes from a state without checking its status first. Compiling is the test.

import { useSessions } from '../src/account.ts'
import { useNativeBalance, useNfts, useReadContract, useWriteContract } from '../src/chain.ts'
import { writeContract } from '../src/core.ts'
import {
  type Client,
  type CountersignError,
  useDocument,
  useDocuments,
  useLiveDocuments,
  useSaveDocument,
  useSignInWithWallet,
  useUpload,
} from '../src/index.ts'

declare const client: Client
const address = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const abi = [
  { type: 'function', name: 'total', stateMutability: 'view', inputs: [], outputs: [{ type: 'uint256' }] },
] as const

export function useReads(): void {
  const { data = [], error: failure, isFetching, refetch } = useDocuments('Game')
  data[0]?.title satisfies string | undefined
  failure satisfies CountersignError | undefined
  isFetching satisfies boolean | undefined
  void refetch()
  const { data: shown } = useLiveDocuments('Game')
  shown?.[0]?.title satisfies string | undefined
  const { data: game } = useDocument('Game', 'x')
  game?.title satisfies string | undefined
  const { data: sessions, error } = useSessions()
  sessions?.length satisfies number | undefined
  error?.code satisfies number | undefined
  const { data: balance, at, isSyncing } = useNativeBalance()
  balance?.balance satisfies bigint | undefined
  at?.block.timestamp satisfies Date | undefined
  isSyncing satisfies boolean | undefined
  const { data: nfts, hasMore, total, moreError, loadMore } = useNfts()
  nfts?.[0]?.tokenId satisfies string | undefined
  hasMore satisfies boolean | undefined
  total satisfies number | undefined
  moreError?.code satisfies number | undefined
  void loadMore()
  const { data: read } = useReadContract({ address, abi, functionName: 'total' })
  read satisfies bigint | undefined
  // Checking the status narrows the type.
  const games = useDocuments('Game')
  if (games.status === 'success') games.data[0]?.title satisfies string | undefined
  if (games.status === 'error') {
    games.error.code satisfies number
    games.data?.[0]?.title satisfies string | undefined
    // @ts-expect-error a first reading that failed has none
    games.data[0]
  }
}

export async function useActs(): Promise<void> {
  const { signInWithWallet: authenticate, status, data: user, error } = useSignInWithWallet()
  status satisfies 'idle' | 'pending' | 'success' | 'error'
  user?.username satisfies string | undefined
  error?.code satisfies number | undefined
  void authenticate()
  const { create, data: saved } = useSaveDocument('Game')
  saved?.objectId satisfies string | undefined
  void create
  const { progress, error: uploadError } = useUpload()
  uploadError?.code satisfies number | undefined
  void progress
  const { data: sent } = useWriteContract()
  sent?.hash satisfies string | undefined
  const { hash, receipt } = (await writeContract(client, { address, abi: [], functionName: 'any' })) ?? {}
  hash satisfies string | undefined
  receipt?.status satisfies string | undefined
}
