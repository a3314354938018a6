/** The build of the API reference: names with a hash, and no inline script or style. */
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  base: '/api/docs/',
  build: {
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Swagger UI is one bundle of 1.7 MB, 450 kB compressed.
    chunkSizeWarningLimit: 2_000,
  },
})
