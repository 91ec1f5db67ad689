import { useEffect } from 'react'
import { useMoralis } from 'react-moralis'

export function ConnectButton() {
  const { enableWeb3, account, isWeb3Enabled, Moralis, deactivateWeb3, isWeb3EnableLoading } = useMoralis()

  // A wallet that was connected before the reload is connected again.
  useEffect(() => {
    if (isWeb3Enabled) return
    if (typeof window !== 'undefined' && window.localStorage.getItem('connected')) {
      enableWeb3()
    }
  }, [isWeb3Enabled])

  useEffect(() => {
    Moralis.onAccountChanged((changed: string | null) => {
      console.log(`Account changed to ${changed}`)
      if (changed == null) {
        window.localStorage.removeItem('connected')
        deactivateWeb3()
        console.log('No account is left')
      }
    })
  }, [])

  if (account) {
    return (
      <div>
        Connected to {account.slice(0, 6)}...{account.slice(account.length - 4)}
        <button
          onClick={async () => {
            window.localStorage.removeItem('connected')
            await deactivateWeb3()
          }}
        >
          Disconnect
        </button>
      </div>
    )
  }
  return (
    <button
      onClick={async () => {
        const web3 = await enableWeb3()
        if (web3 && typeof window !== 'undefined') {
          window.localStorage.setItem('connected', 'injected')
        }
      }}
      disabled={isWeb3EnableLoading}
    >
      Connect
    </button>
  )
}
