import { ethers } from 'ethers'
import { useEffect, useState } from 'react'
import { useMoralis, useWeb3Contract } from 'react-moralis'
import { abi, contractAddresses } from '../constants'

export function Entrance() {
  const { chainId: chainIdHex, isWeb3Enabled } = useMoralis()
  const chainId = parseInt(chainIdHex ?? '0', 16).toString()
  const raffleAddress = contractAddresses[chainId]?.[0]
  const [entranceFee, setEntranceFee] = useState('0')
  const [numberOfPlayers, setNumberOfPlayers] = useState('0')
  const [recentWinner, setRecentWinner] = useState('0')
  const [message, setMessage] = useState('')

  const {
    runContractFunction: enterRaffle,
    isLoading,
    isFetching,
  } = useWeb3Contract({
    abi,
    contractAddress: raffleAddress,
    functionName: 'enterRaffle',
    params: {},
    msgValue: entranceFee,
  })

  const { runContractFunction: getEntranceFee } = useWeb3Contract({
    abi,
    contractAddress: raffleAddress,
    functionName: 'getEntranceFee',
    params: {},
  })

  const { runContractFunction: getNumberOfPlayers } = useWeb3Contract({
    abi,
    contractAddress: raffleAddress,
    functionName: 'getNumberOfPlayers',
    params: {},
  })

  const { runContractFunction: getRecentWinner } = useWeb3Contract({
    abi,
    contractAddress: raffleAddress,
    functionName: 'getRecentWinner',
    params: {},
  })

  async function updateUI() {
    const entranceFeeFromCall = ((await getEntranceFee()) as any).toString()
    const numberOfPlayersFromCall = ((await getNumberOfPlayers()) as any).toString()
    const recentWinnerFromCall = (await getRecentWinner()) as any
    setEntranceFee(entranceFeeFromCall)
    setNumberOfPlayers(numberOfPlayersFromCall)
    setRecentWinner(recentWinnerFromCall)
  }

  useEffect(() => {
    if (isWeb3Enabled) {
      updateUI()
    }
  }, [isWeb3Enabled])

  const handleSuccess = async (tx: any) => {
    setMessage('Sent')
    await tx.wait(1)
    setMessage('Transaction complete')
    updateUI()
  }

  if (!raffleAddress) return <p>There is no raffle on this chain</p>
  return (
    <div>
      <h1>Raffle</h1>
      <button
        onClick={async () => {
          await enterRaffle({
            onSuccess: handleSuccess,
            onError: (error) => setMessage(`Failed: ${error.message}`),
          })
        }}
        disabled={isLoading || isFetching}
      >
        {isLoading || isFetching ? 'Entering' : 'Enter raffle'}
      </button>
      <p>Entrance fee: {ethers.utils.formatUnits(entranceFee, 'ether')} ETH</p>
      <p>Number of players: {numberOfPlayers}</p>
      <p>Recent winner: {recentWinner}</p>
      <p id="message">{message}</p>
    </div>
  )
}
