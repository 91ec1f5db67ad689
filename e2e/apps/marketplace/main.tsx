import { createRoot } from 'react-dom/client'
import { MoralisProvider, useMoralis, useMoralisQuery, useWeb3ExecuteFunction } from 'react-moralis'
import { readQuery } from '../lib/readQuery.ts'

const { appId, serverUrl, market = '' } = readQuery()

const addresses = (...names: string[]) => names.map((name) => ({ name, type: 'address' }))
const number = (name: string) => ({ name, type: 'uint256' })
const write = (name: string, inputs: object[]) => ({
  type: 'function',
  name,
  inputs,
  outputs: [],
  stateMutability: 'nonpayable',
})
const abi = [
  write('list', [number('id'), ...addresses('seller'), number('price'), { name: 'expires', type: 'uint32' }]),
  write('buy', [number('id'), ...addresses('seller', 'buyer'), number('price')]),
  write('cancel', [number('id'), ...addresses('seller')]),
]

/** A marketplace as it was written for the older packages: lists by live queries, writes by the wallet. */
function Marketplace() {
  const { isAuthenticated, authenticate, enableWeb3, isWeb3Enabled, account, isInitialized } = useMoralis()
  const { fetch, error } = useWeb3ExecuteFunction()
  const live = { live: true }
  const items = useMoralisQuery('ActiveItem', (query) => query.limit(10).ascending('uid'), [], live)
  const listed = useMoralisQuery('ItemListed', (query) => query.descending('block_number'), [], live)
  const bought = useMoralisQuery('ItemBought', (query) => query.descending('block_number'), [], live)
  const canceled = useMoralisQuery('ItemCanceled', (query) => query.descending('block_number'), [], live)
  const send = (functionName: string, params: Record<string, unknown>) =>
    fetch({ params: { abi, contractAddress: market, functionName, params } })
  const seller = account
  return (
    <>
      <p>
        ready: <output id="ready">{String(isInitialized)}</output>, signed in:{' '}
        <output id="signedIn">{String(isAuthenticated && isWeb3Enabled)}</output>
      </p>
      <button type="button" onClick={() => authenticate({ signingMessage: 'Hello from an older application' })}>
        Sign in
      </button>
      <button type="button" onClick={() => enableWeb3()}>
        Connect
      </button>
      <button type="button" onClick={() => send('list', { id: 7, seller, price: '1500000000000000000', expires: 1 })}>
        List item
      </button>
      <button type="button" onClick={() => send('list', { id: 8, seller, price: '0', expires: 1 })}>
        List for free
      </button>
      <button
        type="button"
        onClick={() => send('buy', { id: 7, seller, buyer: account, price: '1500000000000000000' })}
      >
        Buy item
      </button>
      <button type="button" onClick={() => send('cancel', { id: 9, seller })}>
        Cancel item
      </button>
      <output id="error">{error ? String(error) : ''}</output>
      <ul aria-label="Items">
        {items.data.map((item) => (
          <li key={item.id}>
            {item.get('uid')} for {item.get('price')} by {item.get('seller')}
          </li>
        ))}
      </ul>
      <ul aria-label="Listings">
        {listed.data.map((event) => (
          <li key={event.id}>
            {event.get('uid')} {event.get('confirmed') ? 'confirmed' : 'open'}
          </li>
        ))}
      </ul>
      <ul aria-label="Sales">
        {bought.data.map((event) => (
          <li key={event.id}>{event.get('uid')}</li>
        ))}
      </ul>
      <ul aria-label="Cancellations">
        {canceled.data.map((event) => (
          <li key={event.id}>{event.get('uid')}</li>
        ))}
      </ul>
    </>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <MoralisProvider appId={appId} serverUrl={serverUrl}>
    <Marketplace />
  </MoralisProvider>,
)
