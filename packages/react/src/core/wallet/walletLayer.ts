import { askForChain } from './askForChain.ts'
import { askToSign } from './askToSign.ts'
import { askToSwitch } from './askToSwitch.ts'
import { connectChosen } from './connectChosen.ts'
import { leaveWallet } from './leaveWallet.ts'
import { proveWallet } from './proveWallet.ts'
import { quitWallet } from './quitWallet.ts'
import { resumeWallet } from './resumeWallet.ts'
import { startWalletLayer } from './startWalletLayer.ts'

/** What works on wallets, in one piece, so that one request of the browser brings all of it. */
export const walletLayer = {
  askForChain,
  askToSign,
  askToSwitch,
  connectChosen,
  leaveWallet,
  proveWallet,
  quitWallet,
  resumeWallet,
  startWalletLayer,
}
