// An application as it was written for react-moralis, with its one import changed. Compiling is the test.

import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import {
  type MoralisObject,
  MoralisProvider,
  useChain,
  useMoralis,
  useMoralisCloudFunction,
  useMoralisFile,
  useMoralisQuery,
  useMoralisWeb3Api,
  useMoralisWeb3ApiCall,
  useNativeBalance,
  useNewMoralisObject,
  useNFTBalances,
  useWeb3Contract,
  useWeb3Transfer,
} from '../src/index.ts'

export function App({ children }: { children: ReactNode }) {
  return <MoralisProvider initializeOnMount={false}>{children}</MoralisProvider>
}

export function Root({ children }: { children: ReactNode }) {
  return (
    <MoralisProvider appId="app" serverUrl="https://example.org/server" options={{ onAccountChanged: console.log }}>
      {children}
    </MoralisProvider>
  )
}

// @ts-expect-error without initialize-on-mount turned off, both are needed
export const wrong = <MoralisProvider appId="app">x</MoralisProvider>

export function Header() {
  const { enableWeb3, account, isWeb3Enabled, Moralis, deactivateWeb3, isWeb3EnableLoading } = useMoralis()
  useEffect(() => {
    if (!isWeb3Enabled && window.localStorage.getItem('connected')) enableWeb3()
  }, [isWeb3Enabled, enableWeb3])
  useEffect(() => {
    Moralis.onAccountChanged((next: string | null) => {
      if (next == null) deactivateWeb3()
    })
  }, [Moralis, deactivateWeb3])
  const connect = async () => {
    await enableWeb3()
    window.localStorage.setItem('connected', 'injected')
  }
  return account ? (
    <p>
      {account.slice(0, 6)}…{account.slice(account.length - 4)}
    </p>
  ) : (
    <button type="button" onClick={connect} disabled={isWeb3EnableLoading}>
      Connect
    </button>
  )
}

type Addresses = Record<string, string[]>

export function Lottery({ abi, addresses }: { abi: object; addresses: Addresses }) {
  const { chainId: chainIdHex, isWeb3Enabled } = useMoralis()
  const chainId = Number.parseInt(chainIdHex ?? '0', 16)
  const contractAddress = addresses[chainId]?.[0]
  const [fee, setFee] = useState('0')
  const options = { abi, contractAddress, params: {} }
  const {
    runContractFunction: enter,
    isLoading,
    isFetching,
  } = useWeb3Contract({ ...options, functionName: 'enterRaffle', msgValue: fee })
  const { runContractFunction: getFee } = useWeb3Contract({ ...options, functionName: 'getEntranceFee' })
  useEffect(() => {
    if (isWeb3Enabled) getFee().then((answer) => setFee(answer.toString()))
  }, [isWeb3Enabled, getFee])
  const handleSuccess = async (tx: { wait(confirmations: number): Promise<unknown> }) => {
    await tx.wait(1)
  }
  return (
    <button
      type="button"
      disabled={isLoading || isFetching}
      onClick={() => enter({ onSuccess: handleSuccess, onError: (error) => console.log(error.message) })}
    >
      Enter for {fee}
    </button>
  )
}

export function Account() {
  const { user, authenticate, isAuthenticated, logout, setUserData, userError, authError, refetchUserData, auth } =
    useMoralis()
  const signIn = () =>
    authenticate({
      provider: 'walletconnect',
      signingMessage: 'Hello',
      onSuccess: (one) => console.log(one.get('ethAddress').length, one.id.length),
      onError: (error) => console.log(error.message),
      throwOnError: false,
    })
  if (!isAuthenticated || !user)
    return (
      <button type="button" onClick={signIn}>
        {authError?.message ?? auth.state}
      </button>
    )
  return (
    <>
      <h1>{user.get('username')}</h1>
      <p>{user.attributes.ethAddress}</p>
      <p>{userError?.message}</p>
      <button type="button" onClick={() => setUserData({ username: 'ada', email: undefined, age: 3, gone: null })}>
        Save
      </button>
      <button type="button" onClick={() => refetchUserData()}>
        Read
      </button>
      <button type="button" onClick={() => logout()}>
        Leave
      </button>
    </>
  )
}

type Monster = { name: string; strength: number }

export function Monsters() {
  const { Moralis } = useMoralis()
  const { chain, switchNetwork } = useChain()
  const { data, error, isLoading, fetch } = useMoralisQuery<Monster>(
    'Monster',
    (query) => query.greaterThanOrEqualTo('strength', 3).descending('strength').limit(5),
    [],
    { live: true, onLiveCreate: (entity, all) => [...all, entity] },
  )
  const { save, isSaving } = useNewMoralisObject('Monster')
  const { saveFile, moralisFile } = useMoralisFile()
  const { data: average } = useMoralisCloudFunction('average', { limit: 5 }, { autoFetch: false })
  const strongest: MoralisObject<Monster> | undefined = data[0]
  const strength: number | undefined = strongest?.get('strength')
  const make = async () => {
    const Made = Moralis.Object.extend('Monster')
    const monster = new Made()
    monster.set('name', 'Bert')
    await monster.save()
    const query = new Moralis.Query(Made)
    query.equalTo('name', 'Bert')
    const found = await query.first()
    console.log(found?.get('name'), await Moralis.Cloud.run('average', {}))
    await saveFile('a.json', { base64: btoa('{}') }, { saveIPFS: true, onSuccess: (file) => console.log(file.ipfs()) })
    await save({ name: 'Ada' }, { onSuccess: (object) => console.log(object.id) })
  }
  return (
    <button type="button" onClick={make} disabled={isLoading || isSaving}>
      {strength} {error?.message} {average} {moralisFile?.url()} {chain?.nativeCurrency.symbol}
      {String(fetch)} {String(switchNetwork)}
    </button>
  )
}

export function Money() {
  const { Moralis, account } = useMoralis()
  const Web3Api = useMoralisWeb3Api()
  const { data } = useMoralisWeb3ApiCall(Web3Api.account.getTokenTransfers, { address: account ?? '', chain: 'eth' })
  const { data: balance, nativeToken, getBalances } = useNativeBalance({ chain: '0x1' })
  const { data: nfts } = useNFTBalances({ chain: 'polygon' })
  const { fetch: send, isFetching } = useWeb3Transfer({
    type: 'native',
    amount: Moralis.Units.ETH(0.5),
    receiver: '0x0000000000000000000000000000000000000001',
  })
  return (
    <button
      type="button"
      disabled={isFetching}
      onClick={() => send({ onSuccess: (tx) => console.log(tx.hash), onComplete: () => getBalances({ params: {} }) })}
    >
      {balance.formatted} {nativeToken?.name} {data?.result.length} {nfts?.result[0].image}
    </button>
  )
}
