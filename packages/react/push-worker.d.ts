// A service worker: it is registered, never imported.
export {}
