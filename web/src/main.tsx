/** Starts the web client in the page. */
import { render } from 'preact'

const App = () => <h1>Parley</h1>

const root = document.getElementById('app')
if (root !== null) render(<App />, root)
