import Head from 'next/head'
import { useMoralis } from 'react-moralis'
import { ConnectButton } from '../components/ConnectButton'
import { Entrance } from '../components/Entrance'
import { Players } from '../components/Players'

const supportedChains = ['31337']

export default function Home() {
  const { isWeb3Enabled, chainId } = useMoralis()
  return (
    <div>
      <Head>
        <title>Raffle</title>
        <link rel="icon" href="data:," />
        <meta name="description" content="A raffle on a chain" />
      </Head>
      <ConnectButton />
      {!isWeb3Enabled ? (
        <p>Please connect a wallet</p>
      ) : supportedChains.includes(parseInt(chainId ?? '0', 16).toString()) ? (
        <>
          <Entrance />
          <Players />
        </>
      ) : (
        <p>Please switch to a supported chain: {supportedChains.join(', ')}</p>
      )}
    </div>
  )
}
