/** The classes that the style sheet of KaTeX uses. A test compares the list with the style sheet. */
export const katexClasses: ReadonlySet<string> = new Set(
  `
  accent accent-body accent-full amsrm angl anglpad arraycolsep base boldsymbol boxpad brace-center brace-left
  brace-right cancel-lap cancel-pad cd-arrow-pad cd-label-left cd-label-right cd-vert-arrow clap col-align-c
  col-align-l col-align-r delim-size1 delim-size4 delimcenter delimsizing eqn-num fbox fcolorbox fix fleqn
  fontsize-ensurer frac-line halfarrow-left halfarrow-right hbox hdashline hide-tail hline inner katex katex-display
  katex-html katex-mathml large-op leqno llap mainrm mathbb mathbf mathboldfrak mathboldsf mathcal mathfrak mathit
  mathitsf mathnormal mathrm mathscr mathsf mathsfit mathtt mfrac mml-eqn-num mover mspace msupsub mtable mtr-glue
  mult munder newline nulldelimiter op-limits op-symbol overlay overline overline-line pstrut reset-size1
  reset-size10 reset-size11 reset-size2 reset-size3 reset-size4 reset-size5 reset-size6 reset-size7 reset-size8
  reset-size9 rlap root rule size1 size10 size11 size2 size3 size4 size5 size6 size7 size8 size9 sizing small-op
  smash sout sqrt stretchy strut svg-align tag textbb textbf textboldfrak textboldsf textfrak textit textitsf textrm
  textscr textsf texttt thinbox underline underline-line vbox vertical-separator vlist vlist-r vlist-s vlist-t
  vlist-t2 x-arrow x-arrow-pad`
    .trim()
    .split(/\s+/),
)
