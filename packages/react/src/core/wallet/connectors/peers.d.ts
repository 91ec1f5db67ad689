// Optional peers: not installed here, so their types are not to be had. What is used of them is written down beside
// each connector.
declare module '@walletconnect/ethereum-provider'
declare module '@web3auth/modal'
declare module 'magic-sdk'
