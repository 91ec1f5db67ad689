import { ethers } from 'ethers'
import { useState } from 'react'
import { useMoralis, useWeb3ExecuteFunction } from 'react-moralis'
import { abi, contractAddresses } from '../constants'

export function Players() {
  const { chainId, web3, account } = useMoralis()
  const contractAddress = contractAddresses[parseInt(chainId ?? '0', 16).toString()]?.[0]
  const [place, setPlace] = useState(0)
  const [balance, setBalance] = useState('')
  const { data, error, fetch, isFetching } = useWeb3ExecuteFunction({
    abi,
    contractAddress,
    functionName: 'getPlayer',
    params: { index: place },
  })
  const draw = useWeb3ExecuteFunction()

  return (
    <div>
      <h2>Players</h2>
      <button onClick={() => fetch()} disabled={isFetching}>
        Show player {place}
      </button>
      <button onClick={() => setPlace(place + 1)}>Next player</button>
      {error && <p id="playerError">{error.message}</p>}
      {data ? <p>Player: {String(data)}</p> : null}
      <button
        onClick={() =>
          draw.fetch({
            params: { abi, contractAddress, functionName: 'drawWinner' },
            onSuccess: async (tx: any) => {
              const receipt = await tx.wait()
              console.log(`Drawn in block ${receipt.blockNumber}`)
            },
          })
        }
      >
        Draw
      </button>
      <button
        onClick={async () => {
          const wei = await web3?.getBalance(account ?? '')
          if (wei) setBalance(ethers.utils.formatEther(wei))
        }}
      >
        Show balance
      </button>
      {balance && <p>Balance: {balance} ETH</p>}
    </div>
  )
}
