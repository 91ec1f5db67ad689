// Loaded before the first paint, so that a chosen theme never flashes the other one.
;(() => {
  let theme = null
  try {
    theme = localStorage.getItem('Countersign/theme')
  } catch {
    // Storage is refused in some privacy modes: the system's theme then stands.
  }
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  const meta = document.querySelector('meta[name="theme-color"]')
  meta?.setAttribute('content', (dark ? meta.dataset.dark : meta.dataset.light) ?? '')
})()
