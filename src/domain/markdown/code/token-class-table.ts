/**
 * The table of token-classes.ts: by language, the Pygments class of each kind of token, and of known words.
 *
 * The rows of `*` hold for every language; those of a language come on top. The file is long because it is a table, and
 * it is derived: the classes that Pygments 2.21 gives to the samples of test/markdown/code-samples.txt and to the words
 * of each language were compared with the tokens that Prism 1.30 gives. test/markdown/pygments.test.ts measures the
 * agreement. To correct an entry, edit it here.
 */

export const tokenClassRows: Readonly<Record<string, string>> = {
  '*': `
=w ~space /tag atrule~space keyword~space interpolation~space type~space /selector~space
=n ~word /attr-name /builtin statement~word scalar~Word
=p ~. ~; ~: ~( ~) ~{ ~, ~} ~[ ~] rule tag/punctuation script/operator map/punctuation punctuation~; operator~@ /punctuation~| interpolation/punctuation~.
=o ~= ~- ~> ~& ~< ~* ~^ ~+ ~! ~| ~? ~~ lifetime-annotation atrule/punctuation header/punctuation /delimiter statement/operator property-line/punctuation operator~+ operator~! keyword~> punctuation~' operator~$ keyword~= operator^* operator^- /operator~:
=mi ~integer variable~integer
=s ~" ~format string directive-block-parameter inserted attr-value th td value double-quoted directive~word string~$ operator~word directive~. atrule-line~word property~Word string^$ string^@ /string~space string-literal/string~space string-literal/string~" inline/punctuation~\`
=s1 ~' string-literal/string /string-property string~' string^'
=c1 ~# ~/ comment
=nv ~$ variable environment hvariable equation-command car type django/punctuation keyword~member /property~-
=se ~escape string~escape operator^\\ command/variable~%
=k ~@ keyword atrule list django/tag table-head/punctuation table-body/punctuation function~escape function^\\
=cp ~% ~after-include attribute directive-hash macro delimiter prolog cdata macro/directive /important expression/operator doctype/punctuation macro/expression attribute^# macro/directive~word
=mh ~hex
=mf ~float parameter/number number~word
=nx ~\\ ~after-extends ~after-type ~after-implements function-variable package template-string/interpolation parameter~word plain-text~word string/interpolation~word
=sb ~\` code-snippet template-string/string
=nc ~after-struct ~after-class module selector~word builtin~Word type^"
=nn ~after-namespace ~after-package ~after-import request-target import-statement~word punctuation^--
=nf ~after-def ~after-function class-member important feature target function-definition
=nt directive-block property tag string-property key content directive-block/punctuation tag/namespace selector~integer selector^-
=nb directive-inline builtin equation register url/function function~-
=sr regex regex-source directive~/
=ch shebang comment^#!
=- command django header statement bash/function bash/parameter /url options/property parameter~- instruction~word instruction~- instruction~/ parameter^-
=nl label
=sc char
=ss symbol
=gp shell-symbol user prompt
=go output
=na url attr-name header-name attribute-arguments/string spread/operator property-line/property attribute~word attribute~@ key~. lifetime-annotation~word key~member
=gh heading title title/punctuation
=gu coord punctuation~# coord^@
=gd line coord~- coord~word coord^--
=kt constant class-name/keyword
=no scalar namespace^[ boolean^#
=si interpolation-punctuation interpolation/punctuation string/interpolation interpolation/delimiter
=ni entity
=kr http-version
=l header-value url^.
=nd annotation
=sd triple-quoted-string
=kn lang directive/keyword
=ld date
=cpf macro/string
=s2 interpolation-string/string bash/string url/string django/string instruction/string doc/string language-javascript/string application-json/string string~-
=gi inserted-sign/line coord~+ coord^+
=c django/comment comment~% comment~" comment^% comment^! comment^( comment^" comment^'
=vg defvar/variable
=gs bold/punctuation inline/punctuation
=cm comment~* comment~{ comment~} comment~! comment^/* comment^{ comment^< comment^/**
=p+p-Indicator punctuation~-
=sx /url~word
`,
  ABAP: `
=nv ~word keyword
=c1 ~" eol-comment
=p ~/
=caseless caseless
k abbreviated abstract add aliases align alpha append as assert assign at back block case cast catch changing check class clear collect color commit communication comparing components compute concatenate cond condense constants contexts continue controls conv country create currency data date decimals default deferred define definition delete demand detail directory divide do dummy else endat endcase endcatch endclass enddo endform endfunction endif endinterface endloop endmethod endmodule endselect endtry endwhile enhancement events exact exceptions exit exponent export exporting extract fetch field fields for form format free from function having hide id if implementation import importing in include including index infotypes initialization insert interface interfaces into join key language leave length lines load local maximum message method methods minimum modifier modify module move multiply new next nodes number object obligatory of off on others overlay pack
ow and ca cn co cp cs eq ge gt le lt na ne not np ns or
`,
  APL: `
=nv ~word
=m ~integer ~float
=o ~, ~- function /function function~-
=na ~. ~/
=s2 ~"
=kt ~{ ~}
=sr ~; ~[ ~] punctuation~;
`,
  ABNF: `
=nc ~word ~member rule
=o ~integer ~/
=- ~, ~. ~+ ~' ~{ ~# ~- ~% ~<
=l ~" string
=c1 ~} comment /comment comment~}
k ALPHA BIT CHAR CR CRLF CTL DIGIT DQUOTE HEXDIG HTAB LF LWSP OCTET SP VCHAR WSP
`,
  ActionScript: `
=nx ~word
=o ~, ~; ~% punctuation~;
=s2 ~" string~" string^"
kc Infinity NaN Void false null true undefined
k arguments continue
kd class const dynamic extends final function get implements import interface internal intrinsic namespace native override package private protected public set static super
nb AVM1Movie Accessibility AccessibilityProperties ActionScriptVersion ActivityEvent AntiAliasType ApplicationDomain Array AsBroadcaster AsyncErrorEvent BevelFilter Bitmap BitmapData BitmapDataChannel BitmapFilter BitmapFilterQuality BitmapFilterType BlendMode BlurFilter Boolean ByteArray CSMSettings Camera Capabilities CapsStyle Class Color ColorMatrixFilter ColorTransform ContextMenu ContextMenuBuiltInItems ContextMenuEvent ContextMenuItem ConvultionFilter DataEvent Date DefinitionError DeleteObjectSample Dictionary DisplacmentMapFilter DisplacmentMapFilterMode DisplayObject DisplayObjectContainer DropShadowFilter EOFError Endian Error ErrorEvent EvalError Event EventDispatcher EventPhase ExternalInterface FileFilter FileReference FileReferenceList FocusDirection FocusEvent Font FontStyle FontType FrameLabel FullScreenEvent Function GlowFilter GradientBevelFilter GradientGlowFilter GradientType Graphics GridFitType HTTPStatusEvent IBitmapDrawable ID3Info IDataInput IDataOutput IDynamicPropertyOutput IDynamicPropertyWriter IEventDispatcher IExternalizable IME IMEConversionMode IMEEvent IOError IOErrorEvent IllegalOperationError InteractiveObject InterpolationMethod InvalidSWFError InvokeEvent JointStyle Key KeyLocation Keyboard KeyboardEvent LineScaleMode LoadVars Loader LoaderContext LoaderInfo LocalConnection Locale Math Matrix MemoryError Microphone MorphShape Mouse MouseEvent MovieClip MovieClipLoader Namespace NetConnection NetStatusEvent NetStream NewObjectSample Number Object ObjectEncoding PixelSnapping
`,
  Ada: `
=- ~space
=n ~word ~Word ~member ~after-use variable
=p ~: ~= ~' operator~: attribute~' operator^: /operator~:
=caseless caseless
kt address boolean byte character controlled count cursor duration file_mode file_type float generator integer long_float long_integer long_long_float long_long_integer natural positive reference_type short_float short_integer short_short_float short_short_integer string wide_character wide_string
kr abort abs abstract accept access aliased all array at begin body case constant declare delay delta digits do else elsif end exception exit for goto if interface is limited loop new of or others out overriding pragma raise range record renames requeue return reverse select separate some synchronized tagged terminate then type until when while xor
ow and in mod not rem
kd entry function generic package private procedure protected subtype task
kc false null true
kn use with
`,
  Agda: `
=- ~word ~, ~. ~+ ~; ~[ ~] ~# ~/ ~* ~% ~< punctuation~;
=ow ~=
=o ~( ~) ~{ ~}
=sc ~'
kt Prop Set
kr abstract codata coinductive constructor data do field forall hiding import in inductive infix infixl infixr instance interleaved let macro module mutual opaque open overlap pattern postulate primitive private quote quoteTerm record renaming rewrite syntax tactic unfolding unquote unquoteDecl unquoteDef using variable where with
`,
  'HTML + Angular2': `
=- ~word ~space ~= ~integer ~, ~) ~. ~+ ~float ~" ~' ~; ~} ~] ~/ ~- ~%
=p ~<
`,
  ANTLR: `
=nl ~word content~word
=w ~space content label~space
=c ~/ ~* comment /comment comment~/ comment~space comment~word comment~* comment^/*
`,
  ApacheConf: `
=c ~# comment
=w ~space directive-block-parameter~space
=s ~:
=- ~. ~- ~member
=s2 ~" string
=caseless caseless
k alert all any crit debug dns double email emerg error full group inetd info min minimal none notice off on os productonly registry script standalone user warn
`,
  AppleScript: `
=nv ~word
=- ~space
=s2 ~" string
=c ~# ~- comment
=o ~/
ow and contain contains div does equals is mod not or ref
k as whith
nb about above activate after against animate append application around at attachment back beep before behind below beneath beside between box browser bundle but button cells center character characters close control copy count data day delay delete display drawer duplicate eighth event every exists fifth first for fourth front given go hide highlight increment item items last launch log make matrix middle month new ninth offset on onto open over panel paragraph pause play plugin print put quit read register responder resume returning round run say scroll second select seventh show since sixth slider some start stepper stop summarize synchronize tenth text that the third through thru update views where whose windows word write year
no AppleScript
na active alignment alpha bezeled bordered bounds cell class closeable collating configuration content context continuous copies directory document edge editable enabled expanded
nv equal
`,
  Arduino: `
=o ~%
=n char
kr ANALOG_MESSAGE DIGITAL_MESSAGE EXTERNAL FIRMATA_STRING HIGH INPUT INPUT_PULLUP INTERNAL INTERNAL1V1 INTERNAL2V56 LED_BUILTIN LOW OUTPUT PROGMEM REPORT_ANALOG REPORT_DIGITAL SET_PIN_MODE SYSEX_START SYSTEM_RESET String _Bool _Complex _Imaginary __inline _inline array atomic_bool atomic_char atomic_int atomic_llong atomic_long atomic_schar atomic_short atomic_uchar atomic_uint atomic_ullong atomic_ulong atomic_ushort auto bool boolean byte char class complex const const_cast delete double dynamic_cast enum explicit extern false float friend inline int int16_t int32_t int64_t int8_t long naked operator private protected
kt DIR FILE _BitInt __int128 atomic_char16_t atomic_char32_t atomic_int_fast16_t atomic_int_fast32_t atomic_int_fast64_t atomic_int_fast8_t atomic_int_least16_t atomic_int_least32_t atomic_int_least64_t atomic_int_least8_t atomic_intmax_t atomic_intptr_t atomic_ptrdiff_t atomic_size_t atomic_uint_fast16_t atomic_uint_fast32_t atomic_uint_fast64_t atomic_uint_fast8_t atomic_uint_least16_t atomic_uint_least32_t atomic_uint_least64_t atomic_uint_least8_t atomic_uintmax_t atomic_uintptr_t atomic_wchar_t clock_t clockid_t cpu_set_t cpumask_t dev_t div_t fpos_t gid_t id_t ino_t int_fast16_t int_fast32_t int_fast64_t int_fast8_t int_least16_t int_least32_t int_least64_t int_least8_t intmax_t intptr_t jmp_buf key_t ldiv_t mbstate_t mode_t nfds_t off_t pid_t
k _Pragma __restrict alignas and_eq bitand bitor co_await co_return co_yield compl concept consteval constinit contract_assert countof defer export final fortran import module not_eq or_eq override post pre
`,
  Arturo: `
=o ~= ~+ ~/ ~* ~- ~% ~< symbol
=na ~. ~member
=s2 ~" string
=kd ~' literal
=s1 ~{ ~} multistring~{ multistring~}
=nd ~# symbol~#
=s multistring string~word
bp init this
nb abs acos acosh acsec acsech actan actanh add after alphabet and angle append arg args arity array as asec asech asin asinh atan atan2 atanh attr attrs average before benchmark blend break builtins1 builtins2 call capitalize case ceil chop chunk clear close cluster color combine conj continue copy cos cosh couple csec csech ctan ctanh cursor darken dec decode decouple define delete desaturate deviation dictionary difference digest digits div do download drop dup e else empty encode ensure env epsilon escape execute exit exp extend extract factors fdiv filter first flatten floor fold from function gamma gcd get goto hash help hypot if in inc indent index infinity info input insert inspect intersection invert join keys kurtosis last let levenshtein lighten list ln log loop lower mail map match max median min mod module mul nand neg new nor normalize not now null open or outdent pad panic
`,
  AspectJ: `
=o ~[ ~] ~%
=na ~member
=n char
kd abstract class const enum exports extends final implements interface module native open opens permits private protected provides public requires sealed static strictfp super synchronized throws to transient transitive uses var volatile with yield
k adviceexecution after annotation args around aspect before call cflow cflowbelow declare error execution get handler initialization issingleton lock parents percflow percflowbelow pertarget perthis pertypewithin pointcut precedence preinitialization privileged proceed returning set soft staticinitialization target thisAspectInstance thisEnclosingJoinPointStaticPart thisJoinPoint thisJoinPointStaticPart throwing unlock warning within withincode
kt boolean byte char double float int long short void
kc false null true
kn import package
`,
  AutoIt: `
=- ~space
=o ~. ~/ ~%
=s ~' string /string string~word string~' string^'
=c1 ~} comment /comment comment~}
=n ~#
=caseless caseless
nb and byref case continueloop dim do else elseif endfunc endif endselect exit exitloop for func global if local next not or return select step then to until wend while
nf abs acos adlibregister adlibunregister asc ascw asin assign atan autoitsetoption autoitwingettitle autoitwinsettitle beep binary binarylen binarymid binarytostring bitand bitnot bitor bitrotate bitshift bitxor blockinput break call cdtray ceiling chr chrw clipget clipput consoleread consolewrite consolewriteerror controlclick controlcommand controldisable controlenable controlfocus controlgetfocus controlgethandle controlgetpos controlgettext controlhide controllistview controlmove controlsend controlsettext controlshow controltreeview cos dec dircopy dircreate dirgetsize dirmove dirremove dllcall dllcalladdress dllcallbackfree dllcallbackgetptr dllcallbackregister dllclose dllopen dllstructcreate dllstructgetdata dllstructgetptr dllstructgetsize dllstructsetdata drivegetdrive drivegetfilesystem drivegetlabel drivegetserial drivegettype drivemapadd drivemapdel drivemapget drivesetlabel drivespacefree drivespacetotal drivestatus envget envset envupdate eval execute exp filechangedir fileclose filecopy filecreatentfslink filecreateshortcut filedelete fileexists filefindfirstfile filefindnextfile fileflush filegetattrib filegetencoding filegetlongname filegetpos filegetshortcut filegetshortname filegetsize filegettime filegetversion fileinstall filemove fileopen fileopendialog fileread filereadline filerecycle filerecycleempty filesavedialog fileselectfolder filesetattrib filesetpos filesettime filewrite
`,
  autohotkey: `
=- ~space ~'
=o ~. ~% operator
=n ~#
=caseless caseless
ow and in is not or
nf acos asin atan abs asc ceil chr close comobjactive comobjarray comobjconnect comobjcreate comobjenwrap
nv a_ahkpath a_ahkversion a_appdata a_appdatacommon a_autotrim a_batchlines a_caretx a_carety a_computername a_controldelay a_cursor a_dd a_ddd a_dddd a_defaultmousespeed a_desktop a_desktopcommon a_detecthiddentext a_detecthiddenwindows a_endchar a_eventinfo a_exitreason a_fileencoding a_formatfloat a_formatinteger a_gui a_guicontrol a_guicontrolevent a_guievent a_guiheight a_guiwidth a_guix a_guiy a_hour a_ipaddress1 a_ipaddress2 a_ipaddress3 a_ipaddress4 a_isadmin a_iconfile a_iconhidden a_iconnumber a_icontip a_index a_iscompiled a_iscritical a_ispaused a_issuspended a_isunicode a_keydelay a_language a_lasterror a_linefile a_linenumber a_loopfield a_loopfileattrib a_loopfiledir a_loopfileext a_loopfilefullpath a_loopfilelongpath a_loopfilename a_loopfileshortname a_loopfileshortpath a_loopfilesize a_loopfilesizekb a_loopfilesizemb a_loopfiletimeaccessed a_loopfiletimecreated a_loopfiletimemodified a_loopreadline a_loopregkey a_loopregname a_loopregsubkey a_loopregtimemodified a_loopregtype a_mday a_mm a_mmm a_mmmm a_msec a_min a_mon a_mousedelay a_mydocuments a_now a_nowutc a_numbatchlines a_ostype a_osversion a_priorhotkey a_programfiles a_programs a_programscommon a_ptrsize a_screenheight a_screenwidth a_scriptdir a_scriptfullpath a_scriptname a_sec a_space a_startmenu a_startmenucommon a_startup a_startupcommon a_stringcasesense a_tab a_temp a_thisfunc a_thishotkey a_thislabel a_thismenu a_thismenuitem a_thismenuitempos a_tickcount a_timeidle a_timeidlephysical a_timesincepriorhotkey a_timesincethishotkey a_titlematchmode a_titlematchmodespeed a_username a_wday a_windelay a_windir a_workingdir a_yday a_year a_yweek a_yyyy clipboard clipboardall
`,
  Awk: `
=- ~space
=s2 ~" ~format ~escape ~: string /string string~space string~escape string^" /string~space
=o ~$ variable~$
kr atan2 close cos delete exp fflush gensub getline gsub index int length log match next nextfile print printf rand sin split sprintf sqrt srand strftime sub substr system systime tolower toupper
kd function
nb ARGC ARGIND ARGV BEGIN CONVFMT END ENVIRON ERRNO FIELDWIDTHS FILENAME FNR FS IGNORECASE NF NR OFMT OFS ORFS RLENGTH RS RSTART RT SUBSEP
o in
`,
  'BBC Basic': `
=nv ~word
=o ~( ~, ~) ~; ~/ ~% punctuation /punctuation punctuation~;
=s2 ~" string
k ABS ACS ADVAL AND APPEND ASC ASN ATN AUTO BEAT BEATS BGET BPUT CIRCLE CLG COLOUR COS COUNT CRUNCH DEF DEG DELETE DIV DRAW EDIT ELLIPSE ENDPROC ENVELOPE EOF EOR EVAL EXP EXT FILL FN GCOL HELP INKEY INSTALL INSTR INT LEN LET LIBRARY LINE LIST LN LOAD LOCAL LOG LVAR MOD MODE MOUSE MOVE NEW NOT OF OLD OPENIN OPENOUT OPENUP OR OSCLI OTHERWISE OVERLAY PI PLOT POINT PRINT PROC PTR QUIT RAD RECTANGLE RENUMBER REPEAT REPORT RND SAVE SGN SIN SOUND SPC SQR STEREO SUM SYS TAB TAN TEMPO TEXTLOAD TEXTSAVE TINT TRACE TWIN TWINO USR VAL VDU VOICE WHEN
kp ERL ERR HIMEM LOMEM PAGE POS TIME VOICES VPOS WIDTH
kc FALSE TRUE
kd REM
`,
  BBCode: `
=- ~word ~space ~= ~integer ~( ~, ~) ~. ~+ ~float ~" ~' ~{ ~; ~} ~# ~/ ~* ~- ~% ~<
=k ~[ ~]
`,
  BQN: `
=nv ~word
=m ~integer ~float
=sr ~( ~)
=s2 ~" string-literal
=kt ~{ ~}
=ni ~; punctuation~;
=o ~/
o Ee Z0
`,
  'Base Makefile': `
=nv ~word
=m ~integer
=s2 ~" string~" string^"
=c ~# comment
`,
  Bash: `
=- ~word ~- ~> ~. ~: function /function function~-
=m ~integer
=o ~[ ~] ~( ~) punctuation~{ punctuation~}
=s2 ~" string string~space string^" /string~space
=si ~{ ~} variable~{ variable~}
=s1 ~escape string~escape
=p ~|
=nv assign-left variable /variable variable~integer
k break continue return
nb alias bg bind builtin caller cd command compgen complete declare dirs disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout popd printf pushd pwd read readonly set shift shopt source suspend test time times trap true type typeset ulimit umask unalias unset wait
`,
  'Bash Session': `
=p ~|
=- ~- ~/ function bash/function bash~word function~-
=gp ~: ~~ command
`,
  Batchfile: `
=- ~space ~integer
=p ~= ~: label~:
`,
  BNF: `
=- ~word ~space ~= ~integer ~( ~, ~) ~. ~+ ~float ~" ~' ~{ ~; ~} ~[ ~] ~# ~/ ~* ~- ~% ~< operator string /operator /string operator~+ string~word string~' operator~* string^' operator^*
`,
  Brainfuck: `
=c ~word ~space ~= ~integer ~( ~) ~{ ~; ~} ~# ~/ ~* ~member comment /comment comment~{ comment~} comment~/ comment~* comment^{ comment^/*
=nt ~, ~.
=nb ~+ ~-
=k ~[ ~]
=nv ~<
`,
  C: `
=w ~space-include macro~space-include
=cp macro-name expression/number
kt DIR FILE _Atomic _BitInt _Bool _Complex _Decimal128 _Decimal32 _Decimal64 __int128 atomic_bool atomic_char atomic_char16_t atomic_char32_t atomic_int atomic_int_fast16_t atomic_int_fast32_t atomic_int_fast64_t atomic_int_fast8_t atomic_int_least16_t atomic_int_least32_t atomic_int_least64_t atomic_int_least8_t atomic_intmax_t atomic_intptr_t atomic_llong atomic_long atomic_ptrdiff_t atomic_schar atomic_short atomic_size_t atomic_uchar atomic_uint atomic_uint_fast16_t atomic_uint_fast32_t atomic_uint_fast64_t atomic_uint_fast8_t atomic_uint_least16_t atomic_uint_least32_t atomic_uint_least64_t atomic_uint_least8_t atomic_uintmax_t atomic_uintptr_t atomic_ullong atomic_ulong atomic_ushort atomic_wchar_t bool byte char clock_t clockid_t cpu_set_t cpumask_t dev_t div_t double float fpos_t gid_t id_t ino_t int int16_t int32_t int64_t int8_t int_fast16_t int_fast32_t int_fast64_t int_fast8_t int_least16_t int_least32_t int_least64_t int_least8_t intmax_t intptr_t jmp_buf key_t ldiv_t long mbstate_t mode_t nfds_t off_t pid_t ptrdiff_t rlim_t short sig_atomic_t sig_t sighandler_t siginfo_t signed sigset_t sigval_t size_t socklen_t ssize_t time_t timer_t uid_t uint16_t uint32_t uint64_t uint8_t uint_fast16_t uint_fast32_t uint_fast64_t uint_fast8_t uint_least16_t uint_least32_t uint_least64_t uint_least8_t uintmax_t uintptr_t unsigned va_list void wchar_t wctrans_t wctype_t wint_t
k _Countof _Pragma alignas alignof complex constexpr countof defer fortran imaginary noreturn restricted static_assert thread_local typeof_unqual
kr __inline _inline inline naked restrict thread
nb NULL false nullptr true
`,
  CMake: `
=s ~word ~float ~.
=c ~# comment
=s2 ~" string variable /string interpolation/punctuation string~space string^" /string~space
=o ~$ ~{ ~}
=nb keyword
k APPLE BORLAND CYGWIN MINGW MSVC MSVC60 MSVC70 MSVC71 MSVC80 MSVC90 MSVC_IDE UNIX WIN32
`,
  'C#': `
=s ~escape expression interpolation-string/string interpolation/punctuation /string string~escape
=nn ~after-using
=k boolean
=nf constructor-invocation
=kt return-type/keyword
=na attribute/class-name attribute-arguments/punctuation /punctuation~[ /punctuation~]
`,
  ChaiScript: `
=nx ~word
=- ~space
=s2 ~" string-interpolation/string
kr attr def fun
k do in throw
kc false true
kd var
nb eval
`,
  Charmci: `
=o ~%
=n char
kt DIR FILE _BitInt __int128 atomic_bool atomic_char atomic_char16_t atomic_char32_t atomic_int atomic_int_fast16_t atomic_int_fast32_t atomic_int_fast64_t atomic_int_fast8_t atomic_int_least16_t atomic_int_least32_t atomic_int_least64_t atomic_int_least8_t atomic_intmax_t atomic_intptr_t atomic_llong atomic_long atomic_ptrdiff_t atomic_schar atomic_short atomic_size_t atomic_uchar atomic_uint atomic_uint_fast16_t atomic_uint_fast32_t atomic_uint_fast64_t atomic_uint_fast8_t atomic_uint_least16_t atomic_uint_least32_t atomic_uint_least64_t atomic_uint_least8_t atomic_uintmax_t atomic_uintptr_t atomic_ullong atomic_ulong atomic_ushort atomic_wchar_t bool byte char clock_t clockid_t cpu_set_t cpumask_t dev_t div_t double float fpos_t gid_t id_t ino_t int int16_t int32_t int64_t int8_t int_fast16_t int_fast32_t int_fast64_t int_fast8_t int_least16_t int_least32_t int_least64_t int_least8_t intmax_t intptr_t jmp_buf key_t ldiv_t long mbstate_t mode_t nfds_t off_t pid_t ptrdiff_t rlim_t short sig_atomic_t sig_t sighandler_t siginfo_t signed sigset_t sigval_t size_t socklen_t ssize_t
k _Pragma __restrict accel accelblock aggregate and and_eq array bitand bitor chare conditional contract_assert countof createhere createhome defer entry exclusive expedited fortran group iget immediate initcall initnode initproc local mainchare mainmodule memcritical message migratable nocopy nodegroup nokeep not not_eq notrace or or_eq packed post pre python readonly readwrite reductiontarget restricted stacksize sync threaded
kr __inline _inline naked restrict thread
`,
  Clojure: `
=nv ~word ~.
=ss ~:
=nb ~> keyword /keyword keyword~>
=nf ~/
=k ~space-def
`,
  ClojureScript: `
=nv ~word ~. ~/ ~* ~- ~%
=nb ~= ~+ ~<
=- ~,
=ss ~'
=c1 ~} comment /comment comment~}
=o ~#
`,
  COBOLFree: `
=nv ~word
=mi ~float
=s2 ~" string~" string^"
=o ~/
=p ~%
=caseless caseless
kr accept add allocate call cancel close compute configuration continue data delete display divide division else end environment evaluate exit fd file forever free generate go goback identification if initialize initiate inspect invoke
kp access address advancing after all alphabet alphabetic alphanumeric also alter alternate any are area areas as ascending assign at auto automatic autoterminate based beep before bell blank blink block bottom by chaining character characters class code col collating cols column columns comma commit common constant contains content control controls converting copy corr corresponding count crt currency cursor cycle date day de debugging declaratives default delimited delimiter depending descending detail disk down duplicates dynamic ebcdic entry eol eop eos erase error escape exception exclusive extend external filler final first fixed footing for format from full function giving global group heading highlight id ignore ignoring in index indexed indicate initial initialized input into intrinsic invalid is just
kt binary comp computational
`,
  COBOL: `
=c ~word ~space ~= ~integer ~( ~, ~. ~+ ~" ~{ ~; ~[ ~] ~# ~/ ~- ~% string /string operator~+ string~word string^'
=mi ~float
=caseless caseless
c as at by cd cf ch de fd go id if in is no of on pf ph rd rf rh sd to up or
`,
  CoffeeScript: `
=nx ~word ~after-class
=nf ~( ~) ~- ~> parameter /parameter parameter/operator parameter/number operator~- parameter~word operator^-
=nv property function-variable
kc Infinity NaN false no null off on true undefined yes
nb Array Boolean Date Error Function Math Number Object RegExp String Symbol decodeURI decodeURIComponent document encodeURI encodeURIComponent eval globalThis isFinite isNaN parseFloat parseInt window
o and is isnt not or
`,
  'Coldfusion CFC': `
=nv ~word ~.
=- ~space
=m ~integer ~float
=s2 ~" string~" string^"
=nf function
`,
  'Common Lisp': `
=k ~& lisp-marker
=nb ~> ~+ defun/keyword defvar/keyword car~>
=nf ~#
=ss ~: lisp-property
=nv function argument
=no boolean
nv cl defls lisp
no nil
`,
  'C++': `
=o ~:
=w ~space-include macro
=nc /class-name
kt DIR FILE _BitInt __int128 atomic_bool atomic_char atomic_char16_t atomic_char32_t atomic_int atomic_int_fast16_t atomic_int_fast32_t atomic_int_fast64_t atomic_int_fast8_t atomic_int_least16_t atomic_int_least32_t atomic_int_least64_t atomic_int_least8_t atomic_intmax_t atomic_intptr_t atomic_llong atomic_long atomic_ptrdiff_t atomic_schar atomic_short atomic_size_t atomic_uchar atomic_uint atomic_uint_fast16_t atomic_uint_fast32_t atomic_uint_fast64_t atomic_uint_fast8_t atomic_uint_least16_t atomic_uint_least32_t atomic_uint_least64_t atomic_uint_least8_t atomic_uintmax_t atomic_uintptr_t atomic_ullong atomic_ulong atomic_ushort atomic_wchar_t bool byte char clock_t clockid_t cpu_set_t cpumask_t dev_t div_t double float fpos_t gid_t id_t ino_t int int16_t int32_t int64_t int8_t int_fast16_t int_fast32_t int_fast64_t int_fast8_t int_least16_t int_least32_t int_least64_t int_least8_t intmax_t intptr_t jmp_buf key_t ldiv_t long mbstate_t mode_t nfds_t off_t pid_t ptrdiff_t rlim_t short sig_atomic_t sig_t sighandler_t siginfo_t signed sigset_t sigval_t size_t socklen_t ssize_t time_t timer_t uid_t uint16_t uint32_t uint64_t uint8_t uint_fast16_t uint_fast32_t uint_fast64_t uint_fast8_t uint_least16_t uint_least32_t uint_least64_t uint_least8_t uintmax_t uintptr_t unsigned va_list void wchar_t wctrans_t wctype_t wint_t
k _Pragma __restrict and and_eq bitand bitor contract_assert countof defer fortran not not_eq or or_eq post pre restricted throws typeof typeof_unqual xor xor_eq
kr __inline _inline inline naked restrict thread
nb NULL false nullptr true
`,
  Crystal: `
=o ~. ~[ ~] ~%
=s2 ~" string string-literal/string string~" string^" string-literal/string~"
=sr ~/
=n string^'
kp __DIR__ __END_LINE__ __FILE__ __LINE__ forall instance_sizeof offsetof out pointerof previous_def sizeof typeof uninitialized
bp debugger delegate forward_missing_to getter property record setter spawn
kc false nil true
k in
nb abort at_exit caller exit gets loop main p pp print printf puts raise rand read_line sleep sprintf system
no MC Z_
cp __END__
`,
  CSS: `
=s2 ~" string
=c ~/ ~* comment /comment comment~/ comment~* comment~space comment~word comment^/*
=p ~#
=kt ~%
=nt ~after-import atrule/property atrule~integer atrule~word function~after-import
=nb function
=k property rule~word
=sx url /url
=nd selector~word
=o selector~,
=nc selector~member
=nv property^--
kc above absolute alias aliceblue all alpha alternate always antiquewhite aqua aquamarine armenian aural auto avoid azure backwards balance baseline behind beige below bisque black blanchedalmond blink block blue blueviolet bold bolder both bottom brown burlywood cadetblue capitalize cell center chartreuse chocolate circle clip clone collapse color column compact condensed contain container continuous copy coral cornflowerblue cornsilk cover crimson crop cross crosshair currentColor cursive cyan darkblue darkcyan darken darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet dashed decimal deeppink deepskyblue default descendants difference digits dimgray dimgrey disc distribute dodgerblue dot dotted double ease edges ellipsis embed end exclusion expanded fantasy fast faster fill filled firebrick first fixed flat flex flip floralwhite forestgreen forwards fuchsia gainsboro geometricPrecision georgian ghostwhite gold goldenrod gray green greenyellow grey groove hanging hebrew help hidden hide high higher hiragana honeydew horizontal hotpink hue icon indianred indigo infinite inherit initial ink inline inset inside invert isolate italic ivory justify katakana khaki landscape large larger last lavender lavenderblush lawngreen left leftwards lemonchiffon level lightblue lightcoral lightcyan lighten lighter lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime limegreen linear linen local loose loud low lower lowercase ltr luminance luminosity magenta mandatory manipulation manual maroon medium mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred middle midnightblue mintcream mistyrose mix mixed moccasin monospace move multiply narrower navajowhite navy none normal nowrap objects oblique off oldlace olive olivedrab on once open optimizeLegibility optimizeSpeed orange orangered orchid outset outside over overlay overline page palegoldenrod palegreen paleturquoise palevioletred papayawhip paused peachpuff peru pink pixelated plum pointer portrait powderblue pre progress proximity purple rebeccapurple red relative repeat reverse revert ridge right rightwards rosybrown round row royalblue rtl ruby running saddlebrown salmon sandybrown saturation screen scroll seagreen seashell separate serif sesame show sideways sienna silent silver skyblue slateblue slategray slategrey slice slow slower small smaller smooth snap snow soft solid space spaces springgreen square start static steelblue sticky stretch strict style super table tan teal text thick thin thistle to tomato top transparent triangle turquoise under underline unicase unset uppercase upright vertical violet visible wait wavy weight wheat white whitesmoke wider wrap yellow yellowgreen yes
k animation appearance azimuth background border caret chains clear columns content continue cue cursor direction display elevation filter float flow font gap grid height hyphens isolation margin marker mask offset opacity order orphans outline overflow padding pause perspective pitch position quotes resize rest richness rotate scale speak stress stroke transform transition translate visibility volume widows width
kt px em rem ex ch vw vh vmin vmax cm mm in pt pc deg rad s ms Hz kHz dpi
`,
  'CSS+PHP': `
=nx ~word
=- ~space
=o ~. ~%
=s2 ~" string~" string^"
`,
  CUDA: `
=o ~%
=n char
kt DIR FILE _BitInt __constant__ __device__ __int128 __restrict__ __shared__ atomic_bool atomic_char atomic_char16_t atomic_char32_t atomic_int atomic_int_fast16_t atomic_int_fast32_t atomic_int_fast64_t atomic_int_fast8_t atomic_int_least16_t atomic_int_least32_t atomic_int_least64_t atomic_int_least8_t atomic_intmax_t atomic_intptr_t atomic_llong atomic_long atomic_ptrdiff_t atomic_schar atomic_short atomic_size_t atomic_uchar atomic_uint atomic_uint_fast16_t atomic_uint_fast32_t atomic_uint_fast64_t atomic_uint_fast8_t atomic_uint_least16_t atomic_uint_least32_t atomic_uint_least64_t atomic_uint_least8_t atomic_uintmax_t atomic_uintptr_t atomic_ullong atomic_ulong atomic_ushort atomic_wchar_t bool byte char char1 char2 char3 char4 clock_t clockid_t cpu_set_t cpumask_t dev_t dim3 div_t double double1 double2 float float1 float2 float3 float4 fpos_t gid_t id_t ino_t int int1 int16_t int2 int3 int32_t int4 int64_t int8_t int_fast16_t int_fast32_t int_fast64_t int_fast8_t int_least16_t int_least32_t int_least64_t int_least8_t intmax_t intptr_t jmp_buf key_t ldiv_t long long1 long2 long3 long4 longlong1 longlong2 mbstate_t mode_t nfds_t off_t pid_t ptrdiff_t rlim_t short short1 short2 short3 short4 sig_atomic_t sig_t sighandler_t siginfo_t signed sigset_t sigval_t size_t socklen_t ssize_t
k _Pragma __restrict and and_eq bitand bitor contract_assert countof defer fortran not not_eq or or_eq post pre restricted throws
kr __forceinline__ __global__ __host__ __inline __noinline__ _inline inline naked restrict thread
`,
  Cypher: `
=p ~= ~* ~< operator /operator operator~* operator^*
=m ~integer ~float
=s ~' string /string string~word string~' string^'
=o ~[ ~]
=caseless caseless
k any collect false fieldterminator none null order single true
`,
  Cython: `
=- ~space
=mf ~integer
=o ~. ~/ ~%
=s ~' string /string string~word string~' string^'
=c ~# comment
bp Ellipsis NotImplemented cls self
kc False NULL None True
ow and in is not or
k by cdef cppclass ctypedef fused gil include namespace new noexcept nogil property struct
ne ArithmeticError AssertionError AttributeError BaseException DeprecationWarning EOFError EnvironmentError Exception FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError IndexError KeyError KeyboardInterrupt LookupError MemoryError NameError NotImplementedError OSError OverflowError OverflowWarning PendingDeprecationWarning ReferenceError RuntimeError RuntimeWarning StandardError StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError
nb Py_ssize_t __import__ abs all any apply basestring bin bint bool buffer bytearray bytes callable char chr classmethod cmp coerce compile complex delattr dict dir divmod double enumerate eval execfile exit file filter float frozenset getattr globals hasattr hash hex id input int intern isinstance issubclass iter len list locals long map max min next object oct open ord pow range raw_input reduce reload repr reversed round set setattr size_t slice sorted ssize_t staticmethod str sum super tuple
`,
  D: `
=n ~word ~after-import ~after-struct
=p ~+ ~= ~> ~& operator /operator operator~+
kp __DATE__ __EOF__ __FILE_FULL_PATH__ __FILE__ __FUNCTION__ __LINE__ __MODULE__ __PRETTY_FUNCTION__ __TIMESTAMP__ __TIME__ __VENDOR__ __VERSION__
kt bool byte cdouble cent cfloat char creal dchar double float idouble ifloat int ireal long real short ubyte ucent uint ulong ushort void wchar
kc false null true
k in is
kr macro
k+k-Removed typedef
nb dstring ptrdiff_t size_t string wstring
`,
  'Darcs Patch': `
=- ~word ~space ~= ~integer ~( ~, ~) ~. ~+ ~float ~" ~' ~; ~} ~[ ~] ~# ~/ ~* ~% ~<
=o ~{
=gd ~-
`,
  Dart: `
=m ~float ~integer
=n ~after-extends
=s1 string string-literal/string string~space string^' string-literal/string~space
kt Function Never Null Object String bool double dynamic int num void
kd abstract async await class covariant extends extension external factory final get implements late mixin native on operator required set static sync typedef var with yield
k as is source
kc false null true
`,
  Dax: `
=- ~word ~space ~= ~integer ~( ~) ~. ~+ ~float ~" ~' ~; ~} ~# ~% ~< operator string /operator operator~+ punctuation~;
`,
  Delphi: `
=o ~; ~: ~, ~. punctuation~;
=s ~' string /string string~' string~word string^'
=caseless caseless
kp abstract assembler cppdecl default far far16 forward index oldfpccall private protected public published
k and as div in is mod not or shl shr xor
kt ansichar ansistring bool boolean byte bytebool cardinal char comp currency double dword extended int64 integer iunknown longbool longint longword pansichar pansistring pbool pboolean pbyte pbytearray pcardinal pchar pcomp pcurrency pdate pdatetime pdouble pdword pextended phandle pint64 pinteger plongint plongword pointer ppointer pshortint pshortstring psingle psmallint pstring pvariant pwidechar pwidestring pword pwordarray pwordbool real real48 shortint shortstring single smallint tclass tdate tdatetime textfile thandle tobject ttime variant widechar widestring word wordbool
nb exp tan abs arccos arctan cos cotan dec inc int logn pi pos str
`,
  'Desktop file': `
=na ~word key
=k ~integer ~[ ~, ~] section-name
=s inner-value
`,
  Diff: `
=- unchanged/line
=gd deleted-sign/prefix
=gi inserted-sign/prefix
`,
  'Django/Jinja': `
=x ~< ~= ~> ~/ punctuation tag attr-name attr-value tag/punctuation /tag
=c ~# comment django/comment comment~{ comment~# comment~space comment~word comment~} comment^{
=s2 ~: punctuation~:
=o operator
=nf filter
=m number
x False Ll None True Z_ and as block comment context django eE else endcomment endraw fA false filter flFLdD forloop if ignore import in is jinja loop missing none not or out raw recursive reversed scoped super true with xX zA
`,
  Zone: `
=c1 ~} comment /comment comment~}
`,
  Docker: `
=c ~# comment
=s ~: ~integer
=m ~float
=- options/string
=nv instruction~Word
`,
  DTD: `
=- ~space
=o ~( ~, ~)
=s2 ~" ~word
=k ~[ ~]
kc PUBLIC SYSTEM
`,
  EBNF: `
=k ~word ~integer ~member rule
=- ~space
=s2 ~" string~" string^"
`,
  Eiffel: `
=o ~[ ~] ~# ~/ ~%
=n char
=caseless caseless
kr across agent alias all as assign attached attribute check class convert create debug deferred detachable do else elseif end ensure expanded export external feature from frozen if inherit inspect invariant like local loop none note obsolete old once only redefine rename require rescue retry select separate then undefine until variant when
ow and implies not or xor
kc current false precursor result true void
nc f0 z0
`,
  Elixir: `
=s2 ~" string /string string~space string^" /string~space
=p ~% ~: ~escape attr-name /attr-name operator~escape
=n ~after-def interpolation string/interpolation interpolation~word string/interpolation~word
=ss atom attr-name~word
=nc punctuation~.
bp _ __CALLER__ __DIR__ __ENV__ __MODULE__
kn alias import require use
ow and in not or when
kd def defcallback defdelegate defexception defimpl defmacro defmacrop defmodule defp defprotocol defstruct
k receive super throw unquote_splicing
no false nil true
`,
  Elm: `
=nf ~- ~= ~| ~: ~> ~+ ~. operator /operator operator~: operator~- operator~> operator~+ hvariable~. operator^: operator^- /operator~:
=nc ~after-module ~after-import import-statement~word constant~after-module
=kt ~Word hvariable~Word
=nv keyword
kr alias as case else if import in let module of port then type where
`,
  EmacsLisp: `
=nv ~word ~, ~. ~{ ~/ ~* ~-
=nf ~= ~+ ~% ~<
=ss ~' quoted-symbol
=c1 ~} comment /comment comment~}
k and catch cond defconst defvar function if interactive let or prog1 prog2 progn quote setq while
nb block case decf declaim declare defadvice defalias defclass defcustom defface defgeneric defgroup defmacro defmethod defsetf defstruct defsubst deftheme deftype defun defvaralias do dolist dotimes ecase etypecase featurep flet incf labels lambda letrec locally loop macrolet noreturn oref oset pcase pop progv provide psetf psetq push pushnew remf require return rotatef rx setf shiftf throw typecase unless when
ne error warn
nf abs acos append apply aref arrayp aset ash asin assoc assq atan atom autoload backtrace bobp bolp boundp bufferp byteorder capitalize car cdr ceiling characterp charsetp clrhash commandp concat cons consp copysign cos daemonp delete delq ding documentation downcase elt eobp eolp eq eql equal eval exp expt fboundp fceiling ffloor fillarray float floatp floor fmakunbound fontp format framep frexp fround fset ftruncate funcall functionp get gethash identity imagep insert int86 integerp intern isnan keymapp
`,
  ERB: `
=x ~word ~space ~= ~integer ~( ~, ~) ~. ~+ ~float ~" ~' ~{ ~; ~} ~[ ~] ~# ~/ ~* ~- ~<
`,
  Erlang: `
=o ~/ ~? variable~?
=si ~~ string~word string~~
=ni function
ow and andalso band bnot bor bsl bsr bxor div not or orelse rem xor
k cond let query
nb abs append_element apply atom_to_list binary_to_list binary_to_term bit_size bitstring_to_list bump_reductions byte_size cancel_timer check_process_code delete_module demonitor disconnect_node display element erase exit float float_to_list fun_info fun_to_list function_exported garbage_collect get get_keys group_leader hash hd integer_to_list iolist_size iolist_to_binary is_atom is_binary is_bitstring is_boolean is_builtin is_float is_function is_integer is_list is_number is_pid is_port is_process_alive is_record is_reference is_tuple length link list_to_atom list_to_binary list_to_bitstring list_to_existing_atom list_to_float list_to_integer list_to_pid list_to_tuple load_module localtime_to_universaltime make_tuple md5 md5_final md5_update memory module_loaded monitor monitor_node node nodes open_port phash phash2 pid_to_list port_call port_close port_command port_connect port_control port_info port_to_list process_display process_flag process_info purge_module put read_timer ref_to_list register resume_process round send send_after send_nosuspend set_cookie setelement size spawn spawn_link spawn_monitor spawn_opt split_binary start_timer statistics suspend_process system_flag system_info system_monitor system_profile term_to_binary tl trace trace_delivered trace_info trace_pattern trunc tuple_size tuple_to_list universaltime_to_localtime unlink unregister whereis
`,
  'F#': `
=o ~{ ~: ~; ~} ~( ~) punctuation~;
=bp ~[ ~]
=mi ~float
=nn ~after-module ~after-open
=nc ~after-type
ow and not or
kt bool byte char decimal double enum exn float float32 int16 int32 int64 int8 list nativeint obj sbyte single string uint16 uint32 uint64 uint8 unativeint unit
o _
`,
  Factor: `
=- ~word ~( ~, ~) ~. ~' ~{ ~; ~} ~[ ~] ~# ~/ ~- ~% normal-word
=nb ~= ~+ ~<
=m ~integer ~float
=c ~* comment /comment comment~/ comment~* comment~space comment~word comment^/*
=k normal-word^;
k deprecated final flushable foldable inline recursive
nb abs accumulate align and append array assert assoc at bi bignum bitand bitnot bitor bitxor bl boa boolean build cache call callcc0 callcc1 callstack case change cleanup clear cleave clone collector complex compose concat cond condition contents continuation continue copy count counter curry cut datastack dec denominator die dip do drop dup dupd each enum error exchange execute filter find first first2 first3 first4 fixnum flip float flush follow fourth get global glue halves harvest hashcode head if ifcc immutable inc index indices infimum initialize integer interleave iota join keep keys last length lengthen like lines log2 longer longest loop map mismatch mod most move namespace namestack neg new nip nl not nth nths null number numerator object of off on or over padding pair partition pick pop prefix prepend prepose print produce product push ratio rational read read1 readln real recip recover reduce
`,
  Fish: `
=- ~word ~space ~integer ~, ~. ~+ ~float ~/ ~* ~- ~%
=o ~( ~) ~[ ~]
=s2 ~" string~" string^"
=c ~# comment
k and begin block break cd continue count echo end exit false not or pwd return set switch test true
nb alias bg bind breakpoint builtin command commandline complete contains dirh dirs emit eval exec fc fg fish fish_config fish_indent fish_pager fish_prompt fish_right_prompt fish_update_completions fishd funced funcsave functions getopts hash help history isatty jobs kill math mimedb nextd open popd prevd printf psub pushd random read set_color source status time trap type ulimit umask vared wait
`,
  FortranFixed: `
=nl ~word ~space ~= ~integer ~( ~. ~+ ~" ~' ~{ ~; ~[ ~/ ~- ~% ~< operator punctuation string /operator /punctuation /string operator~+ string~' punctuation~; operator~- string^' operator^-
=gs ~, ~] string~word /string~word
=cp ~#
=p punctuation~)
`,
  Fortran: `
=kd ~: operator~: operator^: /operator~:
=s2 ~" string /string string~space string^" /string~space
=k keyword /keyword keyword~space
=caseless caseless
k abstract accept all allstop array assign associate asynchronous bind block byte class codimension contiguous critical decode deferred encode endassociate endblock endenum endsubmodule enum enumerator extends extrinsic final generic images import impure is lock memory none non_intrinsic non_overridable nopass options pass pause procedure protected submodule sync syncall syncimages syncmemory unlock value volatile
kt character complex c_bool c_char c_double c_double_complex c_float c_float_complex c_funptr c_int c_int16_t c_int32_t c_int64_t c_int8_t c_intmax_t c_intptr_t c_int_fast16_t c_int_fast32_t c_int_fast64_t c_int_fast8_t c_int_least16_t c_int_least32_t c_int_least64_t c_int_least8_t c_long c_long_double c_long_double_complex c_long_long c_ptr c_short c_signed_char c_size_t integer logical real
nb achar acos acosh aimag aint alog amax amin amod anint asin asinh atan atanh abort abs access adjustl adjustr alarm allocated and any associated atomic_define atomic_ref bge bgt ble blt btest besj besjn besy besyn bessel_j0 bessel_j1 bessel_jn bessel_y0 bessel_y1 bessel_yn bit_size cabs ccos cexp clog cpu_time cshift csin csqrt ctime c_alert c_associated c_backspace c_carriage_return c_f_pointer c_f_procpointer c_form_feed c_funloc c_horizontal_tab c_loc c_new_line c_null_char c_null_funptr c_null_ptr c_sizeof c_vertical_tab ceiling chdir chmod char cmplx command_argument_count conjg cos cosh count dacos dasin datan dabs dcos dcosh ddim derf derfc dexp dint dlog dmax dmin dmod dnint dprod dshiftl dshiftr dsign dsin dsinh dsqrt dtan dtanh dtime date_and_time dbesj dbesjn dbesy dbesyn dble dim digits dot_product eoshift etime epsilon erf erfc erfc_scaled execute_command_line exp exponent extends_type_of fdate fget fgetc fnum fput fputc fseek fstat ftell findloc float floor flush fraction gerror gmtime gamma getarg getcwd getenv getgid getlog getpid getuid get_command get_command_argument get_environment_variable hostnm huge hypot iachar iabs iall iand iany iargc ibclr ibset ibits ichar idint idnint idate idim ieor ierrno ifix ior iparity irand ishft ishftc isign itime imag imagpart image_index index int is_contiguous is_iostat_end is_iostat_eor isatty iso_c_binding kill kind lbound lcobound lge lgt lle llt lshift lstat ltime len len_trim link lnblnk loc log log_gamma long mclock maskl maskr matmul max maxexponent maxloc maxval merge merge_bits min minexponent minloc minval mod modulo move_alloc mvbits nint nearest new_line norm2 not null num_images or perror pack parity precision present product rrspacing rshift radix rand random_number random_seed range realpart rename repeat reshape srand same_type_as scale scan second selected_char_kind selected_int_kind selected_real_kind set_exponent shape shifta shiftl shiftr short sign signal sin sinh sleep sngl spacing spread sqrt stat storage_size sum symlnk system system_clock tan tanh this_image time tiny trailz transfer transpose trim ttynam ubound ucobound umask unlink unpack verify xor zabs zcos zexp zlog zsin zsqrt
`,
  GAP: `
=nv ~word ~integer ~float
=- ~space ~' ~% string~' string^'
=o ~, ~. ~; ~/ punctuation~;
ow and in mod not or
nb BIND_GLOBAL BindGlobal
no fail false infinity true
`,
  GDScript: `
=o ~. ~/ ~%
=s2 ~" string~" string^"
bp INF NAN PI TAU false self true
ow and in not or
nb Color8 ColorN abs acos asin assert atan atan2 bytes2var ceil char clamp convert cos cosh db2linear decimals dectime deg2rad dict2inst ease exp floor fmod fposmod funcref hash inst2dict instance_from_id is_inf is_nan lerp linear2db load log max min nearest_po2 pow preload print print_stack printerr printraw prints printt rad2deg rand_range rand_seed randf randi randomize range round seed sign sin sinh sqrt stepify str str2var tan tanh type_exist typeof var2bytes var2str weakref yield
nb+nb-Type Array Basis Color Dictionary NodePath Object PackedByteArray PackedColorArray PackedFloat32Array PackedFloat64Array PackedInt32Array PackedInt64Array PackedStringArray PackedVector2Array PackedVector3Array Plane Quat RID Rect2 Rect3 String Transform Transform2D Vector2 Vector3 bool float int null void
`,
  GLSL: `
=o ~%
=n string char
kr active asm cast class common enum extern external filter fixed fvec2 fvec3 fvec4 goto half hvec2 hvec3 hvec4 inline input interface long namespace noinline output partition public resource sampler3DRect short sizeof static superp template this typedef union unsigned
kt atomic_uint bool bvec2 bvec3 bvec4 dmat2 dmat2x2 dmat2x3 dmat2x4 dmat3 dmat3x2 dmat3x3 dmat3x4 dmat4 dmat4x2 dmat4x3 dmat4x4 double dvec2 dvec3 dvec4 float iimage1D iimage1DArray iimage2D iimage2DArray iimage2DMS iimage2DMSArray iimage2DRect iimage3D iimageBuffer iimageCube iimageCubeArray image1D image1DArray image2D image2DArray image2DMS image2DMSArray image2DRect image3D imageBuffer imageCube imageCubeArray int isampler1D isampler1DArray isampler2D isampler2DArray isampler2DMS isampler2DMSArray isampler2DRect isampler3D isamplerBuffer isamplerCube isamplerCubeArray ivec2 ivec3 ivec4 mat2 mat2x2 mat2x3 mat2x4 mat3 mat3x2 mat3x3 mat3x4 mat4 mat4x2 mat4x3 mat4x4 sampler1D sampler1DArray sampler1DArrayShadow sampler1DShadow sampler2D sampler2DArray sampler2DArrayShadow sampler2DMS sampler2DMSArray sampler2DRect sampler2DRectShadow sampler2DShadow sampler3D samplerBuffer samplerCube samplerCubeArray samplerCubeArrayShadow samplerCubeShadow uimage1D uimage1DArray uimage2D uimage2DArray uimage2DMS uimage2DMSArray uimage2DRect uimage3D uimageBuffer uimageCube uimageCubeArray uint usampler1D usampler1DArray usampler2D usampler2DArray usampler2DMS usampler2DMSArray usampler2DRect usampler3D usamplerBuffer
kc false true
`,
  'g-code': `
=- ~word ~space ~= ~integer ~( ~, ~) ~. ~+ ~float ~" ~' ~{ ~; ~} ~] ~# ~/ ~* ~- ~% ~< string comment /comment comment~}
=k ~[
`,
  'Gettext Catalog': '',
  Gherkin: `
=c ~# comment
=nf ~space ~word ~@ ~" tag string /tag
=k table-head table-body
=s string~integer
`,
  Go: `
=nx ~word ~after-package
=s ~escape string /string string~escape
kt any bool byte chan comparable complex128 complex64 error float32 float64 int int16 int32 int64 int8 map rune string uint uint16 uint32 uint64 uint8 uintptr
kd const func interface struct type var
kc false iota nil true
kn import package
`,
  GoogleSQL: `
=s2 ~" string~" string^"
=w comment^//
=caseless caseless
k abort access acyclic aggregate always and approx are ascending assert assert_rows_modified at batch between bigdecimal cast clamped clone cluster conflict connection constant copy corresponding cube dayofweek dayofyear define deletion depth descending descriptor destination edge enforced error exception exclude export extend external extract field files fill filter fork format friday generated graph graph_table grouping groups group_rows has hidden immediate immutable in include increment input interleave is isoyear label labeled lateral let like log lookup macro match_recognize materialized max maxvalue measures message metadata microsecond millisecond min minvalue model module monday name nanosecond new node not nothing nulls null_filtered oneof_case only optional options or output overwrite parent partitions past path paths pattern policies policy private privilege project properties property qualify quarter raise raw recursive remote remove replace_fields replica report respect restriction
kt array bignumeric bool bytes date datetime double enum extended float geography graph_element graph_path int32 int64 interval json map measure numeric proto range
`,
  GraphQL: `
=c ~# comment
=nd ~@ directive /directive directive~word
=p ~! operator /operator operator~!
=n ~Word constant property
=nf definition-query
=nc class-name
k ARGUMENT_DEFINITION ENUM ENUM_VALUE FIELD FIELD_DEFINITION FRAGMENT_DEFINITION FRAGMENT_SPREAD INLINE_FRAGMENT INPUT_FIELD_DEFINITION INPUT_OBJECT INTERFACE MUTATION OBJECT QUERY SCALAR SCHEMA SUBSCRIPTION UNION
`,
  Graphviz: `
=nt ~word ~( ~) ~. ~'
=p ~= ~<
=m ~integer ~float attr-value~integer
=s2 ~" attr-value
nb ne nw se sw
`,
  Groovy: `
=nn ~.
=o ~{ ~( ~) ~}
=s2 ~$ interpolation-punctuation expression expression/punctuation
=n ~after-package ~after-def
=na ~member
kd abstract class const enum extends final implements interface native private protected public static strictfp super synchronized throws transient volatile
kt boolean byte char def double float int long short void
kc false null true
kn import package
`,
  HLSL: `
=o ~%
=n char
kt BlendState Buffer ByteAddressBuffer ComputeShader DepthStencilState DepthStencilView DomainShader GeometryShader HullShader InputPatch LineStream OutputPatch PixelShader PointStream RWBuffer RWByteAddressBuffer RWStructuredBuffer RWTexture1D RWTexture1DArray RWTexture2D RWTexture2DArray RWTexture3D RasterizerOrderedBuffer RasterizerOrderedByteAddressBuffer RasterizerOrderedStructuredBuffer RasterizerOrderedTexture1D RasterizerOrderedTexture1DArray RasterizerOrderedTexture2D RasterizerOrderedTexture2DArray RasterizerOrderedTexture3D RasterizerState RenderTargetView SamplerComparisonState SamplerState StructuredBuffer Texture1D Texture1DArray Texture2D Texture2DArray Texture2DMS Texture2DMSArray Texture3D TextureCube TextureCubeArray TriangleStream VertexShader bool double dword float half int matrix min10float min12int min16float min16int min16uint snorm string uint unorm vector void
k NULL globallycoherent
kr auto catch char const_cast delete dynamic_cast enum explicit friend goto long mutable new operator private protected public reinterpret_cast short signed sizeof static_cast template this throw try typename union unsigned using virtual
kc false true
nb AllMemoryBarrier AllMemoryBarrierWithGroupSync AppendStructuredBuffer CheckAccessFullyMapped CompileShader ConsumeStructuredBuffer D3DCOLORtoUBYTE4 DeviceMemoryBarrier DeviceMemoryBarrierWithGroupSync EvaluateAttributeAtCentroid EvaluateAttributeAtSample EvaluateAttributeSnapped GetRenderTargetSampleCount GetRenderTargetSamplePosition GlobalOrderedCountIncrement GroupMemoryBarrier GroupMemoryBarrierWithGroupSync InterlockedAdd InterlockedAnd InterlockedCompareExchange InterlockedCompareStore InterlockedExchange InterlockedMax InterlockedMin InterlockedOr InterlockedXor Process2DQuadTessFactorsAvg Process2DQuadTessFactorsMax Process2DQuadTessFactorsMin ProcessIsolineTessFactors ProcessQuadTessFactorsAvg ProcessQuadTessFactorsMax ProcessQuadTessFactorsMin ProcessTriTessFactorsAvg ProcessTriTessFactorsMax ProcessTriTessFactorsMin QuadReadLaneAt QuadSwapX QuadSwapY WaveAllBitAnd WaveAllBitOr WaveAllBitXor WaveAllEqual WaveAllMax WaveAllMin WaveAllProduct WaveAllSum WaveAllTrue WaveAnyTrue WaveBallot WaveGetLaneCount
`,
  Haml: `
=- ~word ~space ~= ~integer ~( ~, ~) ~. ~+ ~float ~" ~' ~{ ~; ~} ~[ ~] ~# ~% ~<
=c ~/ ~* multiline-comment
=p punctuation /punctuation punctuation~-
=w code
=n code~word
`,
  'HTML+Handlebars': `
=- ~word ~space ~= ~integer ~( ~, ~) ~. ~+ ~float ~" ~' ~; ~} ~[ ~] ~# ~/ ~* ~- ~%
=p ~<
`,
  Handlebars: `
=x ~word ~space ~= ~integer ~( ~, ~) ~. ~+ ~float ~" ~' ~; ~} ~[ ~] ~# ~/ ~* ~- ~% ~<
`,
  Haskell: `
=o ~.
=ow ~= ~: ~< operator~: operator~- operator^: operator^- /operator~:
=nn ~after-module import-statement/punctuation constant~after-module
=n hvariable
kr _ case class data default deriving do else family if import in infix instance let module newtype of then type where
ne error
`,
  Haxe: `
=s2 ~" /string
kd abstract class dynamic enum extern function inline interface override private public static typedef var
kc false null true
kn import package using
`,
  'HTML+Django/Jinja': `
=- ~word ~space ~= ~integer ~( ~, ~) ~. ~+ ~float ~" ~' ~{ ~; ~} ~[ ~] ~# ~/ ~* ~- ~%
=p ~<
`,
  HTML: `
=- ~space /tag
=mf ~integer
=cp ~Word doctype name
=w language-css language-javascript
=k property
=kd keyword
=nx function language-javascript~word
=s value/function value/punctuation
=kc language-css~word
`,
  'HTML+PHP': `
=nx ~word
=- ~space
=o ~. ~%
=s2 ~" string~" string^"
`,
  HTTP: `
=m ~float http-version~float
=nf method
=- request-line
=o http-version~/
`,
  Idris: `
=- ~word ~, ~; ~member hvariable punctuation~;
=ow ~= ~( ~) ~. ~+ ~{ ~} ~[ ~] ~# ~/ ~* ~% ~< operator /operator operator~+ operator~/ operator~* operator^*
=sc ~' hvariable~'
kr _ abstract auto case class codata compute constructor covering data default do dsl else exact export if implementation implicit import impossible in infix instance interface intro intros let module mutual namespace of parameters partial pattern postulate prefix private proof public record refine rewrite static syntax tactics term then total trivial using where with
`,
  INI: `
=k ~[ ~] section-name
=o ~:
=na key
`,
  Java: `
=n ~after-extends ~after-implements constant
=na ~member
=nn namespace/punctuation
=p operator~: operator^: /operator~:
=mi number~Word
kd abstract class const enum exports extends final implements interface module native open opens permits private protected provides public requires sealed static strictfp super synchronized throws to transient transitive uses var volatile with yield
kt boolean byte char double float int long short void
kc false null true
kn import package
`,
  JavaScript: `
=nx ~word ~after-class ~after-function
=n ~#
=mf ~integer
=sr regex-delimiter regex-flags
=s1 /string string^' /string~space
kc Infinity NaN false null true undefined
kr abstract as boolean byte char constructor double enum final float from goto implements int interface long native package private protected public short synchronized throws transient volatile
k catch
kd class const function let var with
ow delete in instanceof new typeof void
nb Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date Float32Array Float64Array Function Intl JSON Map Math Number Object Promise Proxy Reflect RegExp Set String Symbol Uint8ClampedArray WeakMap WeakSet arguments decodeURI decodeURIComponent document encodeURI encodeURIComponent eval global globalThis isFinite isNaN parseFloat parseInt window
ne Error
`,
  'JavaScript+PHP': `
=nx ~word
=- ~space
=o ~. ~%
=s2 ~" string~" string^"
`,
  JSON5: `
=mf ~integer
=s ~' string /string string~word string~' string^'
=nv ~; ~}
=c ~* comment /comment comment~space comment~* comment^/*
=c1 comment~/ comment~word comment^//
k Infinity NaN false null true
`,
  'JSON-LD': `
=kc ~word
=s2 ~" string
=mi ~-
`,
  JSON: `
=p ~: operator /operator operator~: operator^: /operator~:
=mf ~-
=s2 ~escape string /string string~escape
=kc boolean null
kc f n t
`,
  JSX: `
=p ~>
=nx ~after-import function script~word
=na ~member
=nt class-name
kc Infinity NaN false null true undefined
kr abstract as boolean byte char constructor double enum final float from goto implements int interface long native package private protected public short synchronized throws transient volatile
k catch
kd class const function let var with
ow delete in instanceof new typeof void
nb Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date Float32Array Float64Array Function Intl JSON Map Math Number Object Promise Proxy Reflect RegExp Set String Symbol Uint8ClampedArray WeakMap WeakSet arguments decodeURI decodeURIComponent document encodeURI encodeURIComponent eval global globalThis isFinite isNaN parseFloat parseInt window
ne Error
`,
  Julia: `
=n ~word ~after-function ~member string~member
=o ~: ~. string~.
=c ~# comment
=p ~( ~) string~( string~)
=si ~$ string~$
=- ~space-struct
=kt ~after-struct ~Word
k isa where
nb ARGS C_NULL DEPOT_PATH ENDIAN_BOM ENV Inf Inf16 Inf32 Inf64 InsertionSort LOAD_PATH MergeSort NaN NaN16 NaN32 NaN64 PROGRAM_FILE QuickSort RoundDown RoundFromZero RoundNearest RoundNearestTiesAway RoundNearestTiesUp RoundToZero RoundUp VERSION devnull false im missing nothing pi stderr stdin stdout true undef π ℯ
`,
  Kotlin: `
=nn ~.
=p ~: expression/punctuation operator~: operator^: /operator~:
=m ~integer ~float ~hex number /number operator~. number~word
=na ~member
=kd keyword
=s string string-literal/string
kt Any Boolean Byte Char Double Float Int Long Short String Unit
k as break by catch constructor continue do dynamic else finally for get if in init is out reified return set super this throw try typealias typeof vararg when where while
kc false null true
nb it
`,
  Kusto: `
=p ~= ~. ~+ ~* ~- ~% ~< operator command /operator operator~+ operator~* operator~- operator^* operator^-
=s ~' string /string string~word string~' string^'
=c ~/ comment
=n ~member command~word
k bool consume containscs count date datetime distinct evaluate extend facet filter find fork getschema int invoke join limit long lookup notcontains notcontainscs order parse partition project real reduce regex render sample scan search serialize sort string summarize take time top typeof union
`,
  LessCss: `
=s2 ~" string
=kt ~%
=p ~#
=k property
=o variable/punctuation selector~( selector~: selector~)
=nf /function
=nt selector~word
=nc selector~member
kc above absolute alias aliceblue all alpha alternate always antiquewhite aqua aquamarine armenian aural auto avoid azure backwards balance baseline behind beige below bisque black blanchedalmond blink block blue blueviolet bold bolder both bottom brown burlywood cadetblue capitalize cell center chartreuse chocolate circle clip clone collapse color column compact condensed contain container continuous copy coral cornflowerblue cornsilk cover crimson crop cross crosshair currentColor cursive cyan darkblue darkcyan darken darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet dashed decimal deeppink deepskyblue default descendants difference digits dimgray dimgrey disc distribute dodgerblue dot dotted double ease edges ellipsis embed end exclusion expanded fantasy fast faster fill filled firebrick first fixed flat flex flip floralwhite forestgreen forwards fuchsia gainsboro geometricPrecision georgian ghostwhite gold goldenrod gray green greenyellow grey groove hanging hebrew help hidden hide high higher hiragana honeydew horizontal hotpink hue icon indianred indigo infinite inherit initial ink inline inset inside invert isolate italic ivory justify katakana khaki landscape large larger last lavender lavenderblush lawngreen left leftwards lemonchiffon level lightblue lightcoral lightcyan lighten lighter lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime limegreen linear linen local loose loud low lower lowercase ltr luminance luminosity magenta mandatory manipulation manual maroon medium mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred middle midnightblue mintcream mistyrose mix mixed moccasin monospace move multiply narrower navajowhite navy none normal nowrap objects oblique off oldlace olive olivedrab on once open optimizeLegibility optimizeSpeed orange orangered orchid outset outside over overlay overline page palegoldenrod palegreen paleturquoise palevioletred papayawhip paused peachpuff peru pink pixelated plum pointer portrait powderblue pre progress proximity purple rebeccapurple red relative repeat reverse revert ridge right rightwards rosybrown round row royalblue rtl ruby running saddlebrown salmon sandybrown saturation screen scroll seagreen seashell separate serif sesame show sideways sienna silent silver skyblue slateblue slategray slategrey slice slow slower small smaller smooth snap snow soft solid space spaces springgreen square start static steelblue sticky stretch strict style super table tan teal text thick thin thistle to tomato top transparent triangle turquoise under underline unicase unset uppercase upright vertical violet visible wait wavy weight wheat white whitesmoke wider wrap yellow yellowgreen yes
k animation appearance azimuth background border caret chains clear columns content continue cue cursor direction display elevation filter float flow font gap grid height hyphens isolation margin marker mask offset opacity order orphans outline overflow padding pause perspective pitch position quotes resize rest richness rotate scale speak stress stroke transform transition translate visibility volume widows width
kt px em rem ex ch vw vh vmin vmax cm mm in pt pc deg rad s ms Hz kHz dpi
`,
  LilyPond: `
=- ~word ~+ ~' ~; ~/ punctuation~'
=p ~= ~# ~<
=m ~integer ~*
=nb+nb-Articulation ~( ~) ~[ ~] ~- punctuation~- punctuation^--
=c1 ~% comment /comment comment~% comment~space comment~word comment^%
nb+nb-Grob Accidental AccidentalCautionary AccidentalPlacement AccidentalSuggestion Ambitus AmbitusAccidental AmbitusLine AmbitusNoteHead Arpeggio BalloonText BarLine BarNumber BassFigure BassFigureAlignment BassFigureAlignmentPositioning BassFigureBracket BassFigureContinuation BassFigureLine Beam BendAfter BendSpanner BreakAlignGroup BreakAlignment BreathingSign CaesuraScript CenteredBarNumber CenteredBarNumberLineSpanner ChordName ChordSquare Clef ClefModifier ClusterSpanner ClusterSpannerBeacon CodaMark CombineTextScript ControlPoint ControlPolygon CueClef CueEndClef Custos Divisio DotColumn Dots DoublePercentRepeat DoublePercentRepeatCounter DoubleRepeatSlash DurationLine DynamicLineSpanner DynamicText DynamicTextSpanner Episema FingerGlideSpanner Fingering FingeringColumn Flag Footnote FretBoard Glissando GraceSpacing GridChordName GridLine GridPoint Hairpin HorizontalBracket HorizontalBracketText
nb+nb-Translator Accidental_engraver Alteration_glyph_engraver Ambitus_engraver Arpeggio_engraver Auto_beam_engraver Axis_group_engraver Balloon_engraver Bar_engraver Bar_number_engraver Beam_collision_engraver Beam_engraver Beam_performer Beat_engraver Beat_performer Bend_engraver Bend_spanner_engraver Break_align_engraver Breathing_sign_engraver Caesura_engraver Centered_bar_number_align_engraver Chord_name_engraver Chord_square_engraver Chord_tremolo_engraver Clef_engraver Cluster_spanner_engraver Collision_engraver Completion_heads_engraver Completion_rest_engraver Concurrent_hairpin_engraver Control_track_performer Cue_clef_engraver Current_chord_text_engraver Custos_engraver Divisio_engraver Dot_column_engraver Dots_engraver Double_percent_repeat_engraver Drum_note_performer Drum_notes_engraver Duration_line_engraver Dynamic_align_engraver Dynamic_engraver Dynamic_performer Episema_engraver Extender_engraver Figured_bass_engraver Figured_bass_position_engraver Finger_glide_engraver Fingering_column_engraver Fingering_engraver Font_size_engraver Footnote_engraver Forbid_line_break_engraver Fretboard_engraver Glissando_engraver Grace_auto_beam_engraver Grace_beam_engraver Grace_engraver Grace_spacing_engraver Grid_chord_name_engraver Grid_line_span_engraver Grid_point_engraver Grob_pq_engraver Horizontal_bracket_engraver
nb+nb-Clef C F G G2 GG
nb+nb-Context ChoirStaff ChordGrid ChordGridScore ChordNames CueVoice Devnull DrumStaff DrumVoice Dynamics FiguredBass FretBoards Global GrandStaff GregorianTranscriptionLyrics GregorianTranscriptionStaff GregorianTranscriptionVoice
`,
  liquid: `
=- ~word ~space ~= ~integer ~( ~, ~) ~. ~+ ~float ~" ~' ~{ ~; ~} ~[ ~] ~# ~/ ~* ~- ~% ~<
`,
  LiveScript: `
=nx ~word
=s ~' string /string string~word string~' string^'
=o ~%
=sr operator~/
kc Infinity NaN false no null off on true undefined void yes
k by delete in instanceof of til to typeof
nb Array BigInt Boolean Date Error Function Math Number Object RegExp String Symbol decodeURI decodeURIComponent document encodeURI encodeURIComponent eval globalThis isFinite isNaN parseFloat parseInt window
o and is isnt not or
`,
  LLVM: `
=p ~= ~<
=m ~integer ~float
=c ~word ~; ~} ~/ ~* comment keyword /comment comment~}
k aarch64_sve_vector_pcs aarch64_vector_pcs acq_rel acquire add addrspace addrspacecast afn alias aliasee align alignLog2 alignstack allOnes alloca allocsize alwaysInline alwaysinline amdgpu_cs amdgpu_es amdgpu_gfx amdgpu_gs amdgpu_hs amdgpu_kernel amdgpu_ls amdgpu_ps amdgpu_vs and any anyregcc appending arcp argmemonly args arm_aapcs_vfpcc arm_aapcscc arm_apcscc ashr asm atomic atomicrmw attributes available_externally avr_intrcc avr_signalcc bit bitMask bitcast blockaddress blockcount br branchFunnel builtin byArg byref byte byteArray byval c call callbr callee caller calls canAutoHide catch catchpad catchret catchswitch cc ccc cfguard_checkcc cleanup cleanuppad cleanupret cmpxchg cold coldcc comdat common constant contract convergent critical cxx_fast_tlscc datalayout declare default define deplibs dereferenceable dereferenceable_or_null distinct dllexport dllimport dsoLocal dso_local dso_local_equivalent dso_preemptable eq exact exactmatch extern_weak external externally_initialized extractelement extractvalue fadd false fast fastcc fcmp fdiv fence filter flags fmul fneg fpext fptosi fptoui fptrunc freeze frem from fsub funcFlags function gc getelementptr ghccc global guid gv hash hhvm_ccc hhvmcc hidden hot hotness icmp ifunc immarg inaccessiblemem_or_argmemonly inaccessiblememonly
kt bfloat double float fp128 half
`,
  Lua: `
=nv ~word
=s2 ~" string~" string~space string^" /string~space
=o ~# operator
=cm ~[ ~] comment
=py ~member
ow and not or
kr break do else elseif end for function goto if in repeat return then until while
kc false nil true
kd local
nb _G _VERSION assert collectgarbage dofile error getmetatable ipairs load loadfile next pairs pcall print rawequal rawget rawlen rawset require select setmetatable tonumber tostring type warn xpcall
`,
  Luau: `
=nv ~word
=mf ~integer
=s2 ~" string~" string^"
=o ~/ ~%
=nf function
ow and not or
kr break continue do else elseif end for function if in repeat return then until while
kc false nil true
kd local
`,
  Makefile: `
=c ~# comment
=- ~word ~. ~- ~^ ~* variable~^ operator~@
=o ~:
=m ~integer
=k ~$ ~( ~) variable
=s2 ~" string
=cp ~, ~space-include keyword
=nv ~Word variable~@
=nf builtin-target
`,
  Markdown: `
=- ~space ~,
=k ~>
=sb code-language
=gs bold/content
=ge italic/punctuation italic/content
`,
  Mathematica: `
=nv ~#
=o ~/
`,
  Matlab: `
=p ~= ~: operator~: operator^: /operator~:
=s ~' string /string string~' string~word string^'
=o ~. operator~'
=- ~after-function
=nf function
k classdef dynamicprops global methods persistent spmd
nb BeginInvoke COM Combine CombinedDatastore EndInvoke Execute FactoryGroup FactorySetting Feval FunctionTestCase GetCharArray GetFullMatrix GetVariable GetWorkspaceData GraphPlot Inf KeyValueDatastore KeyValueStore MException MaximizeCommandWindow MemoizedFunction MinimizeCommandWindow NET NaN NaT OperationResult PutCharArray PutFullMatrix PutWorkspaceData PythonEnvironment Quit RandStream ReleaseCompatibilityException ReleaseCompatibilityResults Remove RemoveAll Setting SettingsGroup TallDatastore Test TestResult Tiff TransformedDatastore ValueIterator VersionResults VideoReader VideoWriter abs accumarray acos acosd acosh acot acotd acoth acsc acscd acsch actxGetRunningServer actxserver add addCause addCorrection addFile addFolderIncludingChildFiles addGroup addLabel addPath addReference addSetting addShortcut addShutdownFile addStartupFile addStyle addToolbarExplorationButtons addboundary addcats addedge addevent addlistener addmulti addnode addpath addpoints addpref addprop addsample addsampletocollection addtodate addts addvars adjacency airy align alim all allchild alpha alphaShape alphaSpectrum alphaTriangulation alphamap alphanumericBoundary alphanumericsPattern amd analyzeCodeCompatibility ancestor angle animatedline annotation ans any appdesigner append area arguments array2table array2timetable arrayDatastore arrayfun asFewOfPattern asManyOfPattern ascii asec asecd asech asin asind asinh assert assignin atan atan2 atan2d atand atanh audiodevinfo audiodevreset audioinfo audioplayer audioread audiorecorder audiowrite autumn axes axis axtoolbar axtoolbarbtn balance bandwidth bar bar3 bar3h barh barycentricToCartesian base2dec batchStartupOptionUsed bctree beep bench besselh besseli besselj besselk bessely beta betainc betaincinv betaln between bfsearch bicg bicgstab bicgstabl biconncomp bin2dec binary binscatter bitand bitcmp bitget bitnot bitor bitset bitshift bitxor blanks ble blelist blkdiag bluetooth bluetoothlist bone boundary boundaryFacets boundaryshape boundingbox bounds box boxchart brighten brush bsxfun bubblechart bubblechart3 bubblelegend bubblelim bubblesize builddocsearchdb builtin bvp4c bvp5c bvpget bvpinit bvpset bvpxtend caldays caldiff calendar calendarDuration calllib calmonths calquarters calweeks calyears camdolly cameratoolbar camlight camlookat camorbit campan campos camproj camroll camtarget camup camva camzoom canUseGPU canUseParallelPool cart2pol cart2sph cartesianToBarycentric caseInsensitivePattern caseSensitivePattern cast cat categorical categories caxis cd cdf2rdf cdfepoch cdfinfo cdflib cdfread ceil cell cell2mat cell2struct cell2table celldisp cellfun cellplot cellstr centrality centroid cgs char characterListPattern characteristic checkcode chol cholupdate choose chooseContextMenu circshift circumcenter cla clabel class classUnderlying clc clear clearAllMemoizedCaches clearPersonalValue clearTemporaryValue clearpoints clearvars clf clibArray clibConvertArray clibIsNull clibIsReadOnly clibRelease clipboard clock clone close closeFile closereq cmap2gray cmpermute cmunique codeCompatibilityReport colamd collapse colon colorbar colorcube colormap colororder colperm combine comet comet3 compan compass complex compose computer comserver cond condeig condensation condest coneplot configureCallback configureTerminator conj conncomp contains containsrange contour contour3 contourc contourf contourslice contrast conv conv2 convertCharsToStrings convertContainedStringsToChars convertStringsToChars convertTo convertvars convexHull convhull convhulln convn cool copper copyHDU copyfile copygraphics copyobj corrcoef cos cosd cosh cospi cot cotd coth count countcats cov cplxpair cputime createCategory createFile createImg createLabel createTbl criticalAlpha cross csc cscd csch ctranspose cummax cummin cumprod cumsum cumtrapz curl currentProject cylinder daspect dataTipInteraction dataTipTextRow datacursormode datastore datatip date datenum dateshift datestr datetick datetime datevec day days dbclear dbcont dbdown dbmex dbquit dbstack dbstatus dbstep dbstop dbtype dbup dde23 ddeget ddensd ddesd ddeset deblank dec2base dec2bin dec2hex decic decomposition deconv deg2rad degree del2 delaunay delaunayTriangulation delaunayn delete deleteCol deleteFile deleteHDU deleteKey deleteRecord deleteRows delevent delimitedTextImportOptions delsample delsamplefromcollection demo descriptor det details detectImportOptions detrend deval dfsearch diag dialog diary diff diffuse digitBoundary digitsPattern digraph dir disableDefaultInteractivity discretize disp display dissect distances dither divergence dmperm doc docsearch dos dot double drag dragrect drawnow dsearchn duration echo echodemo echotcpip edgeAttachments edgecount edges edit eig eigs ellipj ellipke ellipsoid empty enableDefaultInteractivity enableLegacyExplorationModes enableNETfromNetworkDrive enableservice endsWith enumeration eomday eps eq equilibrate erase eraseBetween erf erfc erfcinv erfcx erfinv error errorbar errordlg etime etree etreeplot eval evalc evalin eventlisteners events exceltime exist exit exp expand expint expm expm1 export export2wsdlg exportapp exportgraphics exportsetupdlg extract extractAfter extractBefore extractBetween eye ezpolar faceNormal factor factorial false fclose fcontour feather featureEdges feof ferror feval fewerbins fft fft2 fftn fftshift fftw fgetl fgets fieldnames figure figurepalette fileDatastore fileMode fileName fileattrib filemarker fileparts fileread filesep fill fill3 fillmissing filloutliers filter filter2 fimplicit fimplicit3 find findCategory findEvent findFile findLabel findall findedge findfigs findgroups findnode findobj findprop finish fitsdisp fitsinfo fitsread fitswrite
`,
  Mojo: `
=o ~. ~/ ~%
=s2 ~" string~" string^"
bp Ellipsis NotImplemented cls self
kc False None True
k alias borrowed fn struct trait var
ow and in is not or
kn from import
nb AnyType BFloat16 CollectionElement Copyable Coroutine DType Error Float16 Float32 Float64 Int Int16 Int32 Int64 Int8 List ListLiteral Movable SIMD Scalar String Tensor Tuple UInt16 UInt32 UInt64 UInt8 __import__ abs aiter all any bin bool breakpoint bytearray bytes callable chr classmethod compile complex delattr dict dir divmod enumerate eval filter float format frozenset getattr globals hasattr hash hex id input int isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print property range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip
fm __abs__ __add__ __aenter__ __aexit__ __aiter__ __and__ __anext__ __await__ __bool__ __bytes__ __call__ __complex__ __contains__ __del__ __delattr__ __delete__ __delitem__ __dir__ __divmod__ __enter__ __eq__ __exit__ __float__ __floordiv__ __format__ __ge__
vm __annotations__ __bases__ __class__ __closure__ __code__ __defaults__ __dict__ __doc__ __file__ __func__
`,
  MoonScript: `
=- ~space
=kt ~( ~) ~{ ~} ~[ ~]
=o ~. ~# ~/ ~%
=s2 ~" string~"
=s string~word /string~word
k and break not or
kc false nil true
bp self
nb _G _VERSION assert collectgarbage dofile error getmetatable ipairs load loadfile next pairs pcall print rawequal rawget rawlen rawset require select setmetatable tonumber tostring type warn xpcall
nc Z_ Za
`,
  MySQL: `
=s2 ~" string~" string^"
=o ~% comment^//
=caseless caseless
k absent accessible account active admin against aggregate allow_missing_files always and array ascii asensitive assign_gtids_to_anonymous_transactions at attribute authentication auto auto_refresh auto_refresh_source autoextend_size avg avg_row_length before bernoulli between binlog block both buckets cache catalog_name challenge_response change changed channel checksum cipher class_origin client clone code collation column_format column_name compact completion component compressed compression concurrent condition connection constraint_catalog constraint_name constraint_schema context cpu cube cume_dist cursor_name datafile day_hour day_microsecond day_minute day_second default_auth definition delay_key_write dense_rank description diagnostics directory div dual duality dynamic each empty encryption ends enforced engine_attribute engines error event events every exchange exclude expansion expire export extent_size external external_format factor failed_login_attempts fast faults file_block_size file_format file_name file_pattern file_prefix files filter finish first_value flush follows format found fulltext general generate generated geomcollection get get_format get_master_public_key get_source_public_key grants group_replication grouping groups gtid_only gtids header help
kt bigint binary bit blob bool boolean byte char date datetime dec decimal double enum fixed float float4 float8 geometry geometrycollection
`,
  NSIS: `
=- ~word ~integer ~. ~float
=w ~space comment^/*
=s2 ~" string~" string^"
=c ~; ~} ~# comment /comment comment~}
=caseless caseless
k abort autoclosewindow brandingtext bringtofront crccheck call caption changeui checkbitmap clearerrors completedtext componenttext copyfiles delete detailprint detailsbuttontext enablewindow exch exec expandenvstrings file flushini function goto hidewindow icon initpluginsdir iswindow langstring loadlanguagefile lockwindow messagebox miscbuttontext name nop outfile page plugindir pop push quit rmdir reboot regdll rename requestexecutionlevel reservefile return searchpath section sendmessage sleep spacetexts subsection uninstpage var windowicon xpstyle
no archive cur end hidden hide normal offline readonly right set shctx show system silent temporary user admin all auto both bottom bzip2 checkbox colored current false force highest lastused leave left listonly lzma nevershow none off on radiobuttons silentlog smooth textonly top true try zlib
`,
  NASM: `
=nv ~. keyword~. keyword~word
=kc ~$ operator~$
=mh number~word
=caseless caseless
ow abs rel seg strict wrt
kt byte word
nv align bits common cpu endstruc export group import library module org section struc uppercase use16 use32 bwd bwdqt cr dq dr er lh mm nasm res sb sd st times tr xyz
`,
  nesC: `
=o ~%
=n char
kt DIR FILE _Atomic _BitInt _Bool _Complex _Decimal128 _Decimal32 _Decimal64 __int128 atomic_bool atomic_char atomic_char16_t atomic_char32_t atomic_int atomic_int_fast16_t atomic_int_fast32_t atomic_int_fast64_t atomic_int_fast8_t atomic_int_least16_t atomic_int_least32_t atomic_int_least64_t atomic_int_least8_t atomic_intmax_t atomic_intptr_t atomic_llong atomic_long atomic_ptrdiff_t atomic_schar atomic_short atomic_size_t atomic_uchar atomic_uint atomic_uint_fast16_t atomic_uint_fast32_t atomic_uint_fast64_t atomic_uint_fast8_t atomic_uint_least16_t atomic_uint_least32_t atomic_uint_least64_t atomic_uint_least8_t atomic_uintmax_t atomic_uintptr_t atomic_ullong atomic_ulong atomic_ushort atomic_wchar_t bool byte char clock_t clockid_t cpu_set_t cpumask_t dev_t div_t double float fpos_t gid_t id_t ino_t int int16_t int32_t int64_t int8_t int_fast16_t int_fast32_t int_fast64_t int_fast8_t int_least16_t int_least32_t int_least64_t int_least8_t intmax_t intptr_t jmp_buf key_t ldiv_t long mbstate_t mode_t nfds_t nx_int16_t nx_int32_t nx_int64_t nx_int8_t nx_struct nx_uint16_t nx_uint32_t nx_uint64_t nx_uint8_t nx_union off_t pid_t ptrdiff_t rlim_t short sig_atomic_t sig_t sighandler_t siginfo_t signed sigset_t sigval_t size_t socklen_t ssize_t
k _Countof _Pragma abstract alignas alignof as async atomic call command complex component components configuration constexpr countof defer event extends fortran generic imaginary implementation includes interface module new norace noreturn post provides restricted signal static_assert task
kr __inline _inline inline naked restrict thread
`,
  'Nginx configuration file': `
=n ~float
=p ~~
=sr ~^
s include km nginx z0
no off on
`,
  Nimrod: `
=c ~# comment
=p ~: operator~: operator^: /operator~:
=n ~after-import
=nf ~after-proc
=kn keyword
=caseless caseless
k addr as asm bind block break case cast concept const continue converter defer discard distinct do elif else end enum except export finally for func if interface iterator let macro method mixin object of out proc ptr raise ref return static template try tuple type using when while yield
ow and div in is isnot mod not notin or shl shr xor
kp false nil true
nb array bool char float float32 float64 int int16 int32 int64 int8 range seq set string
`,
  Nix: `
=- ~space ~word interpolation string/interpolation interpolation~space interpolation~word string/interpolation~word
=l ~< ~>
=s2 ~" string
=si ~$
=o ~.
ow and or
k rec
nb abort baseNameOf builtins derivation dirOf import isNull map removeAttrs throw toString
no false null true
`,
  NumPy: `
=- ~space
=o ~. ~/ ~%
=s2 ~" string~" string^"
bp Ellipsis NotImplemented cls
kc False None True
kp absolute accumulate add alen allclose alltrue alterdot amax amin angle append apply_along_axis apply_over_axes arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin argsort argwhere around array array2string array_equal array_equiv array_repr array_split array_str arrayrange asanyarray asarray asarray_chkfinite ascontiguousarray asfarray asfortranarray asmatrix asscalar astype atleast_1d atleast_2d atleast_3d average bartlett base_repr beta binary_repr bincount binomial bitwise_and bitwise_not bitwise_or bitwise_xor blackman bmat broadcast byte_bounds byteswap c_ can_cast ceil choose clip column_stack common_type compare_chararrays compress concatenate conj conjugate convolve copy corrcoef correlate cos cosh cov cross cumprod cumproduct cumsum delete deprecate diag diagflat diagonal diff digitize disp divide dot dsplit dstack dtype dump dumps ediff1d empty empty_like equal exp expand_dims expm1 extract eye fabs fastCopyAndTranspose fft fftfreq fftshift fill finfo fix flat flatnonzero flatten fliplr flipud floor floor_divide fmod frexp fromarrays frombuffer fromfile fromfunction fromiter frompyfunc fromstring generic get_array_wrap get_include get_numarray_include get_numpy_include get_printoptions getbuffer getbufsize geterr
ow and
kn from
`,
  'Objective-C': `
=nf ~:
=p ~- operator~- operator^-
=- ~space-interface
=nc ~after-interface
=cp expression/punctuation
=mi operator~@
kt BOOL Boolean Class DIR FILE IBAction IBOutlet IMP SEL SInt16 SInt32 SInt8 UInt16 UInt32 UInt8 _Atomic _BitInt _Bool _Complex _Decimal128 _Decimal32 _Decimal64 __int128 atomic_bool atomic_char atomic_char16_t atomic_char32_t atomic_int atomic_int_fast16_t atomic_int_fast32_t atomic_int_fast64_t atomic_int_fast8_t atomic_int_least16_t atomic_int_least32_t atomic_int_least64_t atomic_int_least8_t atomic_intmax_t atomic_intptr_t atomic_llong atomic_long atomic_ptrdiff_t atomic_schar atomic_short atomic_size_t atomic_uchar atomic_uint atomic_uint_fast16_t atomic_uint_fast32_t atomic_uint_fast64_t atomic_uint_fast8_t atomic_uint_least16_t atomic_uint_least32_t atomic_uint_least64_t atomic_uint_least8_t atomic_uintmax_t atomic_uintptr_t atomic_ullong atomic_ulong atomic_ushort atomic_wchar_t bool byte char clock_t clockid_t cpu_set_t cpumask_t dev_t div_t double float fpos_t gid_t id id_t ino_t instancetype int int16_t int32_t int64_t int8_t int_fast16_t int_fast32_t int_fast64_t int_fast8_t int_least16_t int_least32_t int_least64_t int_least8_t intmax_t intptr_t jmp_buf key_t ldiv_t long mbstate_t mode_t nfds_t off_t pid_t ptrdiff_t rlim_t short sig_atomic_t sig_t sighandler_t siginfo_t signed sigset_t sigval_t size_t socklen_t ssize_t time_t timer_t uid_t uint16_t uint32_t uint64_t uint8_t uint_fast16_t uint_fast32_t uint_fast64_t uint_fast8_t uint_least16_t uint_least32_t uint_least64_t uint_least8_t uintmax_t uintptr_t unichar unsigned va_list void wchar_t wctrans_t wctype_t wint_t
k _Alignas _Alignof _Countof _Generic _Imaginary _Noreturn _Pragma _Static_assert _Thread_local __autoreleasing __block __bridge __bridge_transfer __strong __weak alignas alignof assign atomic class complex constexpr copy countof defer fortran getter imaginary inout nonatomic noreturn out readonly readwrite release restricted retain setter static_assert strong thread_local typeof_unqual unsafe_unretained weak
kr __inline _inline inline naked restrict thread
nb FALSE NO NULL TRUE YES false nil nullptr self super true
`,
  'Objective-C++': `
=o ~%
=n char
kt BOOL Boolean Class DIR FILE IBAction IBOutlet IMP SEL SInt16 SInt32 SInt8 UInt16 UInt32 UInt8 _BitInt __int128 atomic_bool atomic_char atomic_char16_t atomic_char32_t atomic_int atomic_int_fast16_t atomic_int_fast32_t atomic_int_fast64_t atomic_int_fast8_t atomic_int_least16_t atomic_int_least32_t atomic_int_least64_t atomic_int_least8_t atomic_intmax_t atomic_intptr_t atomic_llong atomic_long atomic_ptrdiff_t atomic_schar atomic_short atomic_size_t atomic_uchar atomic_uint atomic_uint_fast16_t atomic_uint_fast32_t atomic_uint_fast64_t atomic_uint_fast8_t atomic_uint_least16_t atomic_uint_least32_t atomic_uint_least64_t atomic_uint_least8_t atomic_uintmax_t atomic_uintptr_t atomic_ullong atomic_ulong atomic_ushort atomic_wchar_t bool byte char clock_t clockid_t cpu_set_t cpumask_t dev_t div_t double float fpos_t gid_t id id_t ino_t instancetype int int16_t int32_t int64_t int8_t int_fast16_t int_fast32_t int_fast64_t int_fast8_t int_least16_t int_least32_t int_least64_t int_least8_t intmax_t intptr_t jmp_buf key_t ldiv_t long mbstate_t mode_t nfds_t off_t
k _Pragma __autoreleasing __block __bridge __bridge_transfer __restrict __strong __weak alignas alignof and and_eq assign atomic bitand bitor catch class co_await co_return co_yield compl concept const_cast consteval constexpr constinit contract_assert copy countof decltype defer delete dynamic_cast explicit export final fortran friend getter import inout module mutable namespace new noexcept nonatomic not not_eq operator or
kr __inline _inline inline naked
`,
  OCaml: `
=o ~( ~) ~: ~; punctuation~;
=- ~space
=bp ~[ ~]
=s2 ~" ~format string string~space /string~space
=mi ~float
=nc ~after-open ~Word ~after-module ~member
=n ~after-type
k and raise
kt array bool char float int list string unit
ow asr land lor lsl lxor mod or
bp false true
o _
`,
  Octave: `
=- ~space
=p ~=
=s ~' string /string string~' string~word string^'
=c ~#
=o ~/
k __FILE__ __LINE__ classdef do end_try_catch end_unwind_protect endclassdef endevents endfor endfunction endif endmethods endproperties endswitch endwhile events get global methods persistent properties set static until unwind_protect unwind_protect_cleanup
nb Inf NaN abs accumarray accumdim acos acosd acosh acot acotd acoth acsc acscd acsch addlistener addpath addproperty addtodate airy all allchild amd ancestor and angle anova any arch_fit arch_rnd arch_test area arg argnames argv arma_rnd arrayfun ascii asctime asec asecd asech asin asind asinh assert assignin atan atand atanh atexit autoload autoreg_matrix autumn available_graphics_toolkits axes axis balance bar barh bartlett bartlett_test beep beep_on_error besselh besseli besselj besselk bessely beta betacdf betainc betainv betaln betapdf betarnd bicgstab bicubic binary bincoeff binocdf binoinv binopdf binornd bitand bitcmp bitget bitmax bitor bitpack bitset bitshift bitxor blackman blanks blkdiag bone box brighten bsxfun builtin calendar cast cat cauchy_cdf cauchy_inv cauchy_pdf cauchy_rnd caxis cbrt ccolamd ceil cell celldisp cellfun cellslices cellstr center cgs char chisquare_test_homogeneity chisquare_test_independence chol choldelete cholinsert
`,
  Perl: `
=s ~' string /string string~' string~word string~escape string^'
=nn ~after-use
=nf ~after-sub
k BEGIN CHECK END INIT case new no reset then
ow and cmp eq ge gt le lt ne not or
nb abs accept alarm atan2 bind binmode bless caller chdir chmod chomp chop chown chr chroot close closedir connect cos crypt dbmclose dbmopen defined delete die dump each endgrent endhostent endnetent endprotoent endpwent endservent eof eval exec exists exit exp fcntl fileno flock fork format formline getc getgrent getgrgid getgrnam gethostbyaddr gethostbyname gethostent getlogin getnetbyaddr getnetbyname getnetent getpeername getpgrp getppid getpriority getprotobyname getprotobynumber getprotoent getpwent getpwnam getpwuid getservbyname getservbyport getservent getsockname getsockopt glob gmtime goto grep hex import index int ioctl join keys kill lc lcfirst length link listen local localtime log lstat map mkdir msgctl msgget msgrcv msgsnd oct open opendir ord pack pipe pop pos printf prototype push quotemeta rand read readdir readline readlink readpipe recv ref rename reverse rewinddir rindex rmdir scalar seek seekdir select semctl semget semop send setgrent sethostent setnetent setpgrp setpriority setprotoent setpwent setservent setsockopt shift shmctl shmget shmread shmwrite shutdown sin sleep socket socketpair sort splice split sprintf sqrt srand stat study substr symlink syscall sysopen sysread sysseek system syswrite tell telldir tie tied time times tr truncate uc ucfirst umask undef unlink unpack unshift untie utime values vec wait waitpid wantarray warn write
cp __END__
`,
  PHP: `
=- ~space
=sd ~* ~. ~Word comment /comment comment~/ comment~* comment~space comment~word comment~. comment~Word comment^/**
=o ~: operator
=s2 ~" string~" string~space string~: string^" string^: /string~space
=nb ~member
=nx class-name keyword delimiter~word
=no constant
=na property
=c1 comment^//
=caseless caseless
k e_all e_error e_parse e_warning false null php_os php_version true abstract and array as break case catch cfunction class clone continue declare default die do echo else elseif empty enddeclare endfor endforeach endif endswitch endwhile eval exit extends final finally for foreach function global if implements include include_once interface list match namespace new not old_function or parent php_user_filter print private protected public readonly require require_once return static stdclass switch this throw trait try use var virtual while xor yield
no __class__ __dir__ __file__ __function__ __line__ __method__ __namespace__ __property__ __trait__
`,
  'PL/pgSQL': `
=mf ~integer ~.
=s+s-Name ~" string~" string^"
=o ~# ~% comment~# comment^//
=caseless caseless
k abort absolute access admin aggregate alias also always analyse and array asensitive assertion assignment asymmetric at atomic attach attribute backward before between both breadth cache called cast catalog characteristics class cluster collation comments compression concurrently configuration conflict connection constant constraints content conversion copy cost csv cube current_catalog current_role current_schema defaults deferrable deferred depends depth detach diagnostics dictionary document domain each elsif encoding encrypted event exception exclude excluding exclusive expression extension external extract false family filter finalize foreach forward freeze functions generated get granted greatest grouping groups header hold ilike immediate immutable implicit in include including increment indexes inherit inherits initially inline input insensitive instead is isnull label large lateral leading leakproof least like listen localtime localtimestamp location locked logged mapping materialized maxvalue method minvalue move name names new nfc nfd nfkc nfkd none normalize normalized not nothing notice notify notnull nowait null nulls object oids old only operator options or
`,
  'PostgreSQL SQL dialect': `
=mf ~integer ~.
=s+s-Name ~" string~" string^"
=o ~# ~% comment~# comment^//
=caseless caseless
k abort absolute access admin aggregate also always analyse and array asensitive assertion assignment asymmetric at atomic attach attribute backward before between both breadth cache called cast catalog characteristics class cluster collation comments compression concurrently configuration conflict connection constraints content conversion copy cost csv cube current_catalog current_role current_schema defaults deferrable deferred depends depth detach dictionary document domain each encoding encrypted event exclude excluding exclusive expression extension external extract false family filter finalize forward freeze functions generated granted greatest grouping groups header hold ilike immediate immutable implicit in include including increment indexes inherit inherits initially inline input insensitive instead is isnull label large lateral leading leakproof least like listen localtime localtimestamp location locked logged mapping materialized maxvalue method minvalue move name names new nfc nfd nfkc nfkd none normalize normalized not nothing notify notnull nowait null nulls object oids old only operator options or ordinality others overlaps overlay overriding owned owner parallel
`,
  PowerShell: `
=c ~# comment
=- ~space
=p ~= ~escape ~@ function~$
=s2 ~" string string/variable string~space string^" /string~space
=n ~integer
=nb ~Word ~after-function
=nv boolean
=caseless caseless
k alias cmdletbinding default helpmessage in mandatory parameter parametersetname position ref validatecount validatelength validatepattern validaterange validateset valuefrompipeline valuefrompipelinebypropertyname valuefromremainingarguments
nb ac asnp cat cd cfs chdir clc clear clhy cli clp cls clv cnsn compare copy cp cpi cpp curl cvpa dbp del diff dir dnsn ebp echo epal epcsv epsn erase etsn exsn fc fhx fl ft fw gal gbp gc gci gcm gcs gdr ghy gi gjb gl gm gmo gp gps gpv group gsn gsnp gsv gu gv gwmi h history icm iex ihy ii ipal ipcsv ipmo ipsn irm ise iwmi iwr kill lp ls man md measure mi mount move mp mv nal ndr ni nmo npssc nsn nv ogv oh popd ps pushd pwd r rbp rcjb rcsn rd rdr ren ri rjb rm rmdir rmo rni rnp rp rsn rsnp rujb rv rvpa rwmi sajb sal saps sasv sbp sc select set shcm si sl sleep sls sort sp spjb spps spsv start sujb sv swmi tee trcm type wget where wjb write
`,
  Prolog: `
=c1 ~% comment /comment comment~% comment~space comment~word comment^%
=- ~space
=nv ~word
=p ~: ~- ~| ~! operator /operator operator~: operator~! operator^: /operator~:
=o ~/ function~/ operator~>
=s+s-Atom ~escape ~' operator~escape string~' string^'
=s2 ~" ~~ string /string string~space string^" /string~space
=nf function
=mi function~integer
s+s-Atom a1 bcefnrstv bf c0 d7ff e000 eE fA ffef fff fff0 fffe prolog zA
o div is mod not
`,
  PromQL: `
=nv ~word
=o ~( ~) ~/ ~%
=p ~" ~'
kr abs absent absent_over_time avg_over_time ceil changes clamp_max clamp_min count_over_time day_of_month day_of_week days_in_month delta deriv exp floor histogram_quantile holt_winters hour idelta increase irate label_join label_replace ln log10 log2 max_over_time min_over_time minute month predict_linear quantile_over_time rate resets round scalar sort sort_desc sqrt stddev_over_time stdvar_over_time sum_over_time time timestamp vector year
ow and or unless
k bool
`,
  Properties: `
=c1 ~! comment /comment comment~space comment~word comment~! comment^!
=o ~:
=na key
`,
  'Protocol Buffer': `
=n keyword
=nn punctuation~.
kt bool bytes double fixed32 fixed64 float int32 int64 sfixed32 sfixed64 sint32 sint64 string uint32 uint64
k ctype default extensions import max oneof option optional packed repeated required reserved returns rpc syntax to
kd enum extend group message service
kc false true
kn package
`,
  Pug: `
=nt ~word tag /tag
=- ~space ~= ~integer ~( ~) ~+ ~float ~" ~' ~; ~} ~, ~] ~< plain-text /plain-text plain-text~word
=nc ~. ~member
=c ~/ ~* comment
=w code
=p /punctuation punctuation~-
=n code~word
`,
  Puppet: `
=c ~# comment
=s ~word ~' ~/ ~. ~member string delimiter /string interpolation/delimiter interpolation/punctuation string~' string~word string~/ string~. string~member string^'
=na ~after-class ~after-include attr-name /attr-name
=caseless caseless
k absent alert alias audit augeas before check computer configured contained create_resources crit cron debug defined directory emerg err exec extlookup fail false file filebucket fqdn_rand generate host include info inline_template installed interface k5login latest link loglevel macauthorization mailalias maillist mcx md5 mount mounted nagios_command nagios_contact nagios_contactgroup nagios_host nagios_hostdependency nagios_hostescalation nagios_hostextinfo nagios_hostgroup nagios_service nagios_servicedependency nagios_serviceescalation nagios_serviceextinfo nagios_servicegroup nagios_timeperiod noop notice notify package present purged realize regsubst resources role router running schedule scheduled_task search selboolean selmodule service sha1 shellquote split sprintf ssh_authorized_key sshkey stage stopped subscribe tag tagged template tidy true unmounted user versioncmp vlan warning yumrepo zfs zone zpool
na f0 z_ and ee fa in not or puppet xx za
`,
  PureScript: `
=n ~word ~member hvariable
=ow ~=
=o ~. ~# ~/ ~%
=sc ~' hvariable~'
kr _ ado case class data derive do else false forall foreign if import in infix instance let module newtype of then true type where
`,
  'Python 2.x': `
=- ~space
=o ~. ~/ ~%
=s2 ~" string~" string^"
bp Ellipsis False None NotImplemented True cls self
ow and in is not or
kn from import
ne ArithmeticError AssertionError AttributeError BaseException DeprecationWarning EOFError EnvironmentError Exception FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError IndexError KeyError KeyboardInterrupt LookupError MemoryError NameError NotImplementedError OSError OverflowError OverflowWarning PendingDeprecationWarning ReferenceError RuntimeError RuntimeWarning StandardError StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning VMSError ValueError Warning WindowsError ZeroDivisionError
nb __import__ abs all any apply basestring bin bool buffer bytearray bytes callable chr classmethod cmp coerce compile complex delattr dict dir divmod enumerate eval execfile exit file filter float frozenset getattr globals hasattr hash hex id input int intern isinstance issubclass iter len list locals long map max min next object oct open ord pow property range raw_input reduce reload repr reversed round set setattr slice sorted staticmethod str sum super tuple type unichr unicode vars xrange zip
fm __abs__ __add__ __and__ __call__ __cmp__
vm __bases__ __class__ __closure__ __code__
`,
  'Python console session': `
=nb ~member keyword~member
`,
  Python: `
=- ~space
=nd ~@ decorator
=p ~( ~) punctuation~( punctuation~)
=sa ~prefix string~prefix
=si ~format conversion-option string~format
=o ~% punctuation~.
=w ~space-from ~space-class ~space-def
=nn ~after-from
=s2 string format-spec string~space /string~space
bp Ellipsis NotImplemented cls self
kc False None True
ow and in is not or
kn from import
ne ArithmeticError AssertionError AttributeError BaseException BlockingIOError BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError EncodingWarning EnvironmentError Exception FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning VMSError ValueError Warning WindowsError ZeroDivisionError
nb __import__ abs aiter all any bin bool breakpoint bytearray bytes callable chr classmethod compile complex delattr dict dir divmod enumerate eval filter float format frozendict frozenset getattr globals hasattr hash hex id input int isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print property range repr reversed round sentinel set setattr slice sorted staticmethod str sum super tuple type vars zip
fm __abs__ __add__ __aenter__ __aexit__ __aiter__ __and__ __anext__ __await__ __bool__ __bytes__ __call__ __complex__ __contains__ __del__ __delattr__ __delete__ __delitem__ __dir__ __divmod__ __enter__ __eq__ __exit__ __float__ __floordiv__ __format__ __ge__ __get__ __getattr__ __getattribute__ __getitem__ __gt__ __hash__ __iadd__ __iand__ __ifloordiv__ __ilshift__ __imatmul__ __imod__ __imul__ __index__ __init__ __instancecheck__ __int__ __invert__ __ior__ __ipow__ __irshift__ __isub__ __iter__ __itruediv__ __ixor__ __le__ __len__ __length_hint__ __lshift__ __lt__ __matmul__ __missing__ __mod__ __mul__ __ne__ __neg__ __new__ __next__ __or__ __pos__ __pow__ __prepare__ __radd__ __rand__ __rdivmod__ __repr__ __reversed__ __rfloordiv__ __rlshift__ __rmatmul__ __rmod__ __rmul__ __ror__ __round__ __rpow__ __rrshift__ __rshift__ __rsub__ __rtruediv__ __rxor__ __set__ __setattr__ __setitem__ __str__ __sub__ __subclasscheck__ __truediv__ __xor__
vm __annotations__ __bases__ __class__ __closure__ __code__ __defaults__ __dict__ __doc__ __file__ __func__ __globals__ __kwdefaults__ __module__ __mro__ __name__ __objclass__ __qualname__ __self__ __slots__ __weakref__
`,
  QBasic: `
=vg ~word
=il ~integer
=o ~. ~/ ~%
=s2 ~" string
=c1 ~'
kr ABS ASC ATN BEEP BLOAD BSAVE CALL CALLS CDBL CHAIN CHDIR CINT CIRCLE CLEAR CLNG CLOSE CLS COLOR COM COMMON CONST COS CSNG CSRLIN CVD CVDMBF CVI CVL CVS CVSMBF DECLARE DEF DEFDBL DEFINT DEFLNG DEFSNG DEFSTR DIM DO DRAW END ENVIRON EOF ERASE ERDEV ERL ERR ERROR EXIT EXP FIELD FILEATTR FILES FIX FOR FRE FREEFILE FUNCTION GET GOSUB GOTO IF INP INPUT INSTR INT IOCTL KEY KILL LBOUND LEN LINE LOC LOCATE LOCK LOF LOG LOOP LPOS LPRINT LSET MKDIR NAME NEXT ON OPEN OUT PAINT PALETTE PCOPY PEEK PEN PLAY PMAP POINT POKE POS PRESET PRINT PSET PUT RANDOMIZE READ REDIM REM RESET RESTORE RESUME RETURN RMDIR RND RSET RUN SADD SCREEN SEEK SETMEM SGN SHARED SHELL SIN SLEEP SOUND SPC SQR STATIC STICK
k ACCESS ALIAS ANY APPEND BASE BINARY BYVAL CDECL ENDIF IS LIST LOCAL MOD OUTPUT RANDOM SIGNAL
ow AND EQV IMP NOT OR
kd DATA LET
`,
  QML: `
=nx ~word
=- ~space
=s2 ~" string
=o ~%
kc Infinity NaN false null true undefined
kr abstract boolean byte char class const debugger double enum export extends final float goto implements import int interface long native package private protected public short static super synchronized throws transient volatile
k break case catch continue default delete do else finally for if in instanceof new return switch this throw try typeof void while
kd function let var with
nb Array Boolean Date Error Function Math Number Object Packages RegExp String decodeURI decodeURIComponent document encodeURI encodeURIComponent eval isFinite isNaN netscape parseFloat parseInt sun window
`,
  Racket: `
=s2 ~" string
=nb ~>
k _ absent abstract and any augment augride begin begin0 case class cond contract contracted define delay do else except export extends false field file for generic if implies import include inherit init inner inspect instantiate interface lambda lazy let letrec lib link local match mixin module nand new nor only open or overment override parameterize place planet prefix private provide public pubment quasiquote quasisyntax quote rename require send shared stream struct submod super syntax tag this thunk time unit unless unquote unsyntax when λ
nb abs acos add1 andmap angle append apply argmax argmin asin assf assoc assq assv atan banner box bytes caaaar caaadr caaar caadar caaddr caadr caar cadaar cadadr cadar caddar cadddr caddr cadr car cdaaar cdaadr cdaar cdadar cdaddr cdadr cdar cddaar cddadr cddar cdddar cddddr cdddr cddr cdr ceiling combinations compile compose compose1 conjoin conjugate cons const cos cosh count curry curryr date denominator disjoin display displayln drop dropf eighth empty eof eprintf error eval exit exn exp expand expt fifth filter findf first flatten floor foldl foldr force format fourth fprintf future gcd gensym getenv hash hasheq hasheqv identity last lcm length list listof load log magnitude map max mcar mcdr mcons member memf memq memv min modulo negate newline ninth not null numerator ormap partition permutations pi pregexp print printf println process putenv quotient raise random range rationalize read regexp remainder remf remove remq remv rest reverse round second set seteq seteqv seventh sgn shuffle sin sinh sixth sleep sort sqr sqrt srcloc string sub1 subbytes subprocess substring symbols sync system take takef tan tanh tenth third thread touch true truncate unbox values vector vectorof version void write writeln xor
`,
  ReasonML: `
=- ~space
=ow ~= ~( ~, ~) ~. ~+ ~{ ~; ~} ~[ ~] ~# ~- ~< operator punctuation /operator /punctuation operator~+ punctuation~; operator~- operator^-
=mi ~float
=s2 ~" string
=k ~' operator~'
=o ~%
ow _ and asr land lor lsl lsr lxor mod or
kt array bool char float int list string unit
k esfun pri pub
bp false true
nc F_
`,
  Rego: `
=m ~integer ~float
=s2 ~" string
=o ~/ ~%
k contains data every false if in true
nb input
`,
  RHTML: `
=- ~word ~space ~= ~integer ~( ~, ~) ~. ~+ ~float ~" ~' ~{ ~; ~} ~[ ~] ~# ~/ ~* ~-
=p ~<
`,
  RobotFramework: `
=c ~word ~space ~= ~integer ~( ~, ~) ~. ~+ ~float ~" ~' ~{ ~; ~} ~[ ~] ~# ~/ ~* ~- ~% ~< comment
`,
  'Rocq Prover': `
=- ~space
=o ~( ~, ~) ~{ ~; ~} ~[ ~] ~# ~/ ~% punctuation /punctuation punctuation~;
=n ~. punctuation~.
=mi ~float
=s2 ~" string
=k ~'
kn Abort Admitted All Arguments Axiom Axioms Bind Canonical Check Class Close CoFixpoint CoInductive Coercion Compute Context Contextual Corollary Declare Defined Definition Delimit Elpi End Equations Eval Example Existing Export Extract Fact Fail Fixpoint From Function Global Goal Graph Hint Hypotheses Hypothesis Implicit Implicits Import Include Inductive Instance Lemma Let Local Ltac Ltac2 Module Monomorphic Morphism Notation Opaque Open Parameter Parameters Polymorphic Prenex Print Printing Program Projections Proof Property Proposition Qed Record Relation Remark Require Reserved Resolve Restart Rewrite Save Scheme Scope Search Section Show Strict Structure Tactic Theorem Transparent Types Undo Universe Unset Unshelve Variable Variables Variant View inside
kt Prop SProp Set Type
kp admit assumption by congruence contradiction discriminate done exact
k after assert auto autorewrite bool_congr case cbv change clear compute congr constructor cut cutrewrite destruct eapply eauto econstructor elim erewrite etransitivity field fold generalize have hnf induction injection intro intros intuition inversion is lazy
kr do first idtac last
bp false
`,
  reStructuredText: `
=- ~word ~space ~,
=ow ~- ~member directive /directive directive~word
=gh important
=gs bold
=ge italic
=s inline-literal
=na role role/punctuation
=nv interpreted-text
=m list-bullet
`,
  Ruby: `
=o ~[ ~] ~.
=vc ~@ variable
=nf ~?
=mi ~float
=s2 ~" string~" string~space string^" string-literal/string~" string-literal/string~space
=nn ~after-module
=no ~Word constant
=n ~member content keyword~member
=p operator~: operator^: /operator~:
ow and not or
kp attr attr_accessor attr_reader attr_writer catch extend false include initialize loop module_function new nil private protected public throw true
nb Array Float Integer String __id__ __send__ abort ancestors at_exit autoload binding callcc caller chomp chop class_eval class_variables clone const_get const_missing const_set constants display dup eval exec exit fail fork format freeze getc gets global_variables gsub hash id included_modules inspect instance_eval instance_method instance_methods instance_variable_get instance_variable_set instance_variables lambda load local_variables method method_missing methods module_eval name object_id open p print printf private_class_method private_instance_methods private_methods proc protected_instance_methods protected_methods public_class_method public_instance_methods public_methods putc puts rand readline readlines require scan select self send set_trace_func singleton_methods sleep split sprintf srand sub syscall system taint test to_a to_s trace_var trap untaint untrace_var warn
cp __END__
`,
  Rust: `
=sd ~/ comment
=p ~- punctuation /punctuation punctuation~-
=fm ~! macro
=o punctuation~=
=c1 comment^//
kr abstract become do final macro override priv try typeof unsized virtual yield
kt bool char f32 f64 i128 i16 i32 i64 i8 isize str u128 u16 u32 u64 u8 usize
kc false true
kd let
bp self
nb AsMut AsRef Box Clone Copy Default DoubleEndedIterator Drop Eq Err ExactSizeIterator Extend Fn FnMut FnOnce From Into IntoIterator Iterator None Ok Option Ord PartialEq PartialOrd Result Send Sized Some String Sync ToOwned ToString Unpin Vec drop
`,
  SAS: `
=- ~word ~space ~= ~( ~, ~) ~+ ~{ ~; ~} ~[ ~] ~# ~/ ~- ~% ~< operator punctuation /operator /punctuation operator~+ punctuation~; operator~- operator^-
=m ~integer ~. ~float punctuation~.
=s ~' string /string string~word string~' string^'
=c ~* comment /comment comment~/ comment~* comment~space comment~word comment^/*
=caseless caseless
k error abort add alter as attrib cards cards4 cascade catname check create datalines datalines4 delim delimiter display distinct dm endsas footnote foreign format from having in index informat input insert into key like link list lostcard message missing modify msgtype not null on order page primary redirect references remove rename replace reset restrict skip startsas stop systask unique until update validate view waitsas while window x
kc _all_ _automatic_ _character_ _infile_ _n_ _name_ _null_ _numeric_ _user_ _webout_
kr data quit run
`,
  S: `
=m ~integer ~float
=nf ~. ~member
kc FALSE Inf LETTERS NA NULL NaN TRUE letters pi
kr break else for function if in next repeat return switch while
`,
  'Standard ML': `
=- ~space
=p ~= operator~=
=n ~+ ~/ ~* ~- ~% ~< operator /operator operator~+ operator~* operator~- operator^* operator^-
=s2 ~" string
=nd ~' variable
=nl ~# operator~#
kr abstype and andalso as case datatype do else end eqtype exception fn fun functor handle if in include infix infixr let local nonfix of op open orelse raise rec sharing sig signature struct structure then type val where while with withtype
p _
`,
  Sass: `
=o ~:
=nc ~.
=k ~& property~&
=mh ~# property-line~word
=nd ~+ atrule~+
=nf ~= atrule~=
=kt variable-line~word
kt px em rem ex ch vw vh vmin vmax cm mm in pt pc deg rad s ms fr Hz kHz dpi
`,
  Scala: `
=p ~: operator~: operator^: /operator~:
=o ~< ~- keyword
=nc ~Word ~after-extends
=s id
k abstract asInstanceOf case catch class classOf def derives do else end enum export extends final finally for given if implicit import isInstanceOf lazy match new object override package private protected return sealed synchronized then throw trait try type while with yield
kc false null true
bp super this
kd val var
`,
  Scheme: `
=o ~.
=nb ~> ~* operator builtin /operator /builtin operator~* operator^*
=nv ~member
=nf function lambda-parameter
k else
nb inf nan not
nv Decimal Need Optional Sign Z0 bB but by comment comments dD delimiters eEsSfFdDlL end ensure exponent fA fancy file followed full function have iIeE is mandatory mantissa name number oO of optional part r6rs scheme scm something to token we whitespace width xX zA
`,
  SCSS: `
=w ~space comment~space
=s2 ~" string
=o ~; ~! ~/ ~( ~) ~, statement comment punctuation~;
=nd ~: ~space-include ~after-include function~after-include
=nt ~integer ~- function url /url statement~word comment~word url~word /url~word
=p ~{ ~} variable~{ variable~}
=k ~&
=nc ~.
=nn ~# variable~#
=mi selector~integer
`,
  Smali: `
=- ~word
=p ~= ~-
=kt ~[
=c ~# comment
=nf function
kt ZBSCIJFDV
k native strictfp synchronized varargs volatile
`,
  Smalltalk: `
=nf ~word ~: ~>
=- ~space ~[ ~]
=s ~' string /string string~' string~word string^'
=m ~integer
=nc ~Word
=nv temporary-variables
=nb keyword
nf nil self super
`,
  Smarty: `
=x ~word ~space ~= ~integer ~( ~, ~) ~. ~+ ~float ~" ~' ~[ ~] ~# ~/ ~* ~- ~% ~<
=o ~; smarty~;
=- smarty
=na smarty~word
`,
  Solidity: `
=- ~word
=m+m-Decimal ~integer ~float
=s2 ~" string~" string^"
=o ~%
kt address block bool break bytes constant constructor continue contract do else external false for function hash if import inherited int internal is library mapping memory modifier msg new payable private public require return returns string struct suicide this throw true tx uint var while
nb keccak256
`,
  SPARQL: `
=- ~space
=s ~' string /string string~word string~' string^'
=c ~# comment
=o ~/
=caseless caseless
k bind bindings in to undef with
kc false true
nf abs avg bnode bound ceil coalesce concat contains count datatype day encode_for_uri exists floor group_concat hours if iri isblank isiri isliteral isnumeric isuri lang langmatches lcase max md5 min minutes month now rand regex replace round sameterm sample seconds separator sha1 sha256 sha384 sha512 str strafter strbefore strdt strends strlang strlen strstarts struuid substr sum timezone tz ucase uri uuid year
`,
  SQL: `
=mi ~float
=ss ~" string~" string^"
=caseless caseless
k abort abs absolute access ada admin aggregate alias allocate analyse and are asensitive assertion assignment asymmetric at atomic avg backward before between bitvar bit_length both breadth c cache called cardinality cast catalog catalog_name characteristics character_length character_set_catalog character_set_name character_set_schema char_length checked class class_origin clob cluster cobol collation collation_catalog collation_name collation_schema column_name command_function command_function_code completion condition_number connection connection_name constraints constraint_catalog constraint_name constraint_schema constructor conversion copy corresponding count createdb createuser cube current_path current_role cursor_name datetime_interval_code datetime_interval_precision defaults deferrable deferred defined deref descriptor destroy destructor diagnostics dictionary disconnect dispatch domain dynamic dynamic_function dynamic_function_code each elsif encoding encrypted equals every exception excluding exclusive existing external extract false final fortran forward found free freeze g general generated get go granted grouping hierarchy hold host ilike immediate immediately immutable implementation implicit in including increment inditcator infix inherits initialize initially input insensitive instantiable instead is isnull key_member key_type lancompiler large lateral leading length less like listen localtime localtimestamp location locator lower map max maxvalue message_length message_octet_length message_text method min minvalue mod more move mumps names nclob new nocreatedb nocreateuser none not nothing notify notnull null nullable object octet_length oids old only operation operator options or ordinality output overlaps overlay overriding owner pad parameter parameters parameter_mode parameter_name parameter_ordinal_position parameter_specific_catalog parameter_specific_name parameter_specific_schema pascal pendant period placing pli position postfix preceeds prefix preorder preserve prior procedural recheck recursive ref referencing reindex relative reset restart result returned_length returned_octet_length returned_sqlstate role rollup routine_catalog routine_name routine_schema row_count save_point scale schema_name scope scroll search security self sensitive server_name setof sets similar size source space specific specifictype specific_name sqlcode sqlerror sqlexception sqlstate sqlwarninig stable state statement static stdin stdout storage strict structure stype subclass_origin sublist substring succeeds sum symmetric sysid system table_name template terminate than timezone_hour timezone_minute toast trailing transactions_committed transactions_rolled_back transaction_active transform transforms translate translation treat trigger_catalog trigger_name trigger_schema trim true trusted under unencrypted unknown unlisten unnamed unnest until upper user_defined_type_catalog user_defined_type_name user_defined_type_schema vacuum valid validator variable verbose version versioning versions volatile whenever without zone
nb array bigint binary bit blob boolean char character date dec decimal float int int8 integer interval number numeric real serial serial8 smallint text varchar varying
`,
  Stan: `
=- ~space
=mf ~integer
=o ~' ~%
kt array cholesky_factor_corr cholesky_factor_cov column_stochastic_matrix complex complex_matrix complex_row_vector complex_vector corr_matrix cov_matrix int matrix ordered positive_ordered real row_stochastic_matrix row_vector simplex sum_to_zero_matrix sum_to_zero_vector unit_vector vector void
kr auto export extern false repeat static struct then true typedef until var
k fatal_error
`,
  Stata: `
=- ~word ~space ~= ~( ~, ~) ~' ~{ ~; ~} ~[ ~] ~# ~% variable
=m ~integer ~. ~float
=s string string-literal/string
k about ac ac_7 acprplot acprplot_7 adjust ado adopath adoupdate alpha ameans an ano anov anova anova_estat anova_terms anovadef aorder ap app appe appen append arch arch_dr arch_estat arch_p archlm areg areg_p args arima arima_dr arima_estat arima_p as asmprobit asmprobit_estat asmprobit_lf asmprobit_mfx__dlg asmprobit_p ass asse asser assert avplot avplot_7 avplots avplots_7 bcskew0 bgodfrey binreg bip0_lf biplot bipp_lf bipr_lf bipr_p biprobit bitest bitesti bitowt blogit bmemsize boot bootsamp bootstrap_8 boxco_l boxco_p boxcox boxcox_6 boxcox_p bprobit br break brier bro brow brows browse brr brrstat bs bs_7 bsampl_w bsample bsample_7 bsqreg bstat bstat_7 bstat_8 bstrap bstrap_7 bys ca ca_estat ca_p cabiplot camat canon canon_8 canon_8_p canon_estat canon_p cap caprojection capt captu captur cat cc cchart cchart_7 cci cd censobs_table centile cf char chdir checkdlgfiles checkestimationsample checkhlpfiles checksum chelp ci cii cl class classutil cli clis clist clo clog clog_lf clog_p clogi clogi_sw clogit clogit_lf clogit_p clogitp clogl_sw cloglog clonevar close clslistarray cluster cluster_measures
`,
  SuperCollider: `
=nx ~word
=- ~space
=s2 ~" string
=s1 ~' symbol
=o ~%
kd arg function let var with
kr boolean byte char class const debugger double enum export extends final float goto implements import int interface long native package private protected public short static super synchronized throws transient volatile
k break case catch continue default delete do else finally for if in instanceof new return switch throw try typeof void
kc false inf nil true
nb Array Boolean Date Error Function Number Object Packages RegExp String isFinite isNaN parseFloat parseInt this thisFunction thisFunctionDef thisMethod thisProcess thisThread
`,
  Swift: `
=p ~= ~? ~@ ~- attribute /attribute attribute~@ operator~- operator^-
=nc ~after-import
=kc omit
=s string string-literal/string
=n attribute~word
=o operator^! operator^>
kr Protocol Type associativity convenience didSet dynamic final get indirect infix inout lazy left mutating none nonmutating optional override postfix precedence prefix required rethrows right set throws unowned weak willSet
kc Self __COLUMN__ __FILE__ __FUNCTION__ __LINE__ dynamicType false nil self super true
bp abs advance alignof alignofValue assert assertionFailure contains count countElements debugPrint debugPrintln distance dropFirst dropLast dump enumerate equal extend fatalError filter find first getVaList indices insert isEmpty join last lexicographicalCompare map max maxElement min minElement numericCast overlaps partition precondition preconditionFailure print println reduce reflect removeAll removeAtIndex removeLast removeRange reverse sizeof sizeofValue sort sorted splice split startsWith stride strideof strideofValue suffix swap toDebugString toString transcode underestimateCount unsafeAddressOf unsafeBitCast unsafeDowncast withExtendedLifetime withUnsafeMutablePointer withUnsafeMutablePointers withUnsafePointer withUnsafePointers withVaList
kd actor associatedtype class deinit enum extension func import init internal let operator private protocol public static struct subscript typealias var
nb AbsoluteValuable Any AnyClass AnyObject Array ArrayLiteralConvertible AutoreleasingUnsafeMutablePointer BidirectionalIndexType BidirectionalReverseView Bit BitwiseOperationsType Bool BooleanLiteralConvertible BooleanLiteralType BooleanType CBool CChar CChar16 CChar32 CDouble CFloat CFunctionPointer CInt CLong CLongLong COpaquePointer CShort CSignedChar CUnsignedInt CUnsignedLong CUnsignedShort CVaListPointer CVarArgType CWideChar C_ARGC C_ARGV Character ClosedInterval CollectionOfOne CollectionType Comparable ContiguousArray DebugPrintable Dictionary DictionaryGenerator DictionaryIndex DictionaryLiteralConvertible Double EmptyCollection EmptyGenerator EnumerateGenerator EnumerateSequence Equatable ExtendedGraphemeClusterLiteralConvertible ExtendedGraphemeClusterType ExtensibleCollectionType FilterCollectionView FilterCollectionViewIndex FilterGenerator FilterSequenceView Float Float32 Float64 Float80 FloatLiteralConvertible FloatLiteralType FloatingPointClassification FloatingPointType ForwardIndexType GeneratorOf GeneratorOfOne GeneratorSequence GeneratorType HalfOpenInterval Hashable HeapBuffer HeapBufferStorage ImplicitlyUnwrappedOptional IndexingGenerator Int Int16 Int32 Int64 Int8 IntMax IntegerArithmeticType IntegerLiteralConvertible IntegerLiteralType IntegerType IntervalType LazyBidirectionalCollection LazyForwardCollection LazyRandomAccessCollection LazySequence MapCollectionView MapSequenceGenerator MapSequenceView MirrorDisposition MirrorType MutableCollectionType MutableSliceable NSErrorPointer NSObjectProtocol NilLiteralConvertible ObjectIdentifier OnHeap Optional OutputStreamType PermutationGenerator Printable Process QuickLookObject RandomAccessIndexType RandomAccessReverseView Range RangeGenerator RangeReplaceableCollectionType RawByte RawOptionSetType RawRepresentable Reflectable Repeat ReverseBidirectionalIndex ReverseRandomAccessIndex Selector SequenceOf SequenceType SignedIntegerType SignedNumberType SinkOf SinkType Slice Sliceable StaticString Streamable StrideThrough StrideThroughGenerator StrideTo StrideToGenerator Strideable String StringInterpolationConvertible StringLiteralConvertible StringLiteralType UInt UInt16 UInt32 UInt64 UInt8 UIntMax UTF16 UTF32 UTF8 UWord UnicodeCodecType UnicodeDecodingResult UnicodeScalar UnicodeScalarLiteralConvertible UnicodeScalarType Unmanaged UnsafeBufferPointer UnsafeBufferPointerGenerator UnsafeMutableBufferPointer UnsafeMutablePointer UnsafePointer UnsignedIntegerType Void Word Zip2 ZipGenerator2 _ArrayBufferType _BidirectionalIndexType _CocoaStringType _CollectionType _Comparable _ExtensibleCollectionType _ForwardIndexType _Incrementable _IntegerArithmeticType _IntegerType _ObjectiveCBridgeable _RandomAccessIndexType _RawOptionSetType _SequenceType _Sequence_Type _SignedIntegerType _SignedNumberType _Sliceable _Strideable _SwiftNSArrayRequiredOverridesType _SwiftNSArrayType _SwiftNSCopyingType _SwiftNSDictionaryRequiredOverridesType _SwiftNSDictionaryType _SwiftNSEnumeratorType _SwiftNSFastEnumerationType _SwiftNSStringRequiredOverridesType _SwiftNSStringType _UnsignedIntegerType
`,
  systemverilog: `
=p ~' ~#
=o ~%
k accept_on always always_comb always_ff always_latch checker endchecker eventually global implements implies interconnect let nettype nexttime reject_on restrict s_always s_eventually s_nexttime s_until s_until_with soft strong sync_accept_on sync_reject_on unique0 until until_with untyped weak
kt bit byte chandle const event int integer logic longint real realtime reg shortint shortreal signed string supply0 supply1 time tri tri0 tri1 triand trior trireg type unsigned uwire var void wand wire wor
ow dist inside
kd endclass
`,
  Systemd: `
=k ~integer ~[ ~, ~] section-name
=na key
=s quoted
`,
  TAP: `
=- ~word ~space ~= ~integer ~( ~, ~) ~. ~+ ~float ~" ~' ~{ ~; ~} ~[ ~] ~/ ~* ~- ~% ~<
=c ~# directive /directive directive~word
`,
  TOML: `
=n ~word ~member key /key key~word key~member
=s2 ~" string
=k ~[ ~] table
=p ~. key~.
=kc boolean
`,
  Tcl: `
=c ~# comment
=k ~word ~{ ~} ~[ ~] builtin /builtin
=nv ~float
=s2 ~" string /string string~space string~$ string^" /string~space
=- ~after-proc
ow eq in ne ni
`,
  Terraform: `
=nv ~word ~.
=m ~integer
=s2 ~$ string interpolation/punctuation interpolation/keyword interpolation/type punctuation~. punctuation^. interpolation/punctuation~.
=p ~?
=na ~Word property /property property~word property~Word
=kr keyword
kt bool list map null number object set string tuple
no false true
`,
  TeX: `
=na ~[ ~]
=m equation~integer equation~float
=nb ~{ ~} ~& ~^ equation~^ equation~word equation~Word equation~member equation~space equation~, equation~.
=s ~$ equation~$
=o equation~+ equation~- equation~= equation~* equation~/ equation~( equation~) equation~[ equation~] equation~!
=k ~\\
=- ~. ~space ~word ~Word ~member ~integer ~float ~+ ~- ~= ~* ~/ ~( ~) ~, ~: ~; ~! ~? ~' ~" ~< ~> ~| ~@ ~# keyword comment~. /comment~.
`,
  'Transact-SQL': `
=ss ~" string~" string^"
=o ~[ ~] ~% comment^//
=w comment^#
=caseless caseless
k absolute ada admin aggregate alias allocate are array asensitive assertion asymmetric at atomic before bit_length both breadth called cardinality catalog catch char_length character_length class clob collation collect completion condition connection constraints constructor corr corresponding covar_pop covar_samp cube cume_dist current_catalog current_default_transform_group current_path current_role current_schema current_transform_group_for_type deferrable deferred depth deref descriptor destroy destructor diagnostics dictionary disconnect domain dynamic each element equals every exception external extract false filter fortran found free fulltexttable fusion general get go hold host immediate include indicator initialize initially input insensitive intersection is large lateral leading less like_regex ln localtime localtimestamp locator map member method mod module multiset names nclob new nocheck none normalize null object occurrences_regex octet_length old only operation ordinality output overlaps overlay pad parameter parameters pascal path percent_rank percentile_cont percentile_disc position position_regex postfix prefix preorder preserve prior range readtext recursive ref referencing regr_avgx regr_avgy regr_count
ow all and any between except exists in intersect like not or
`,
  TSX: `
=nx ~word ~?
=kt ~.
=p ~< ~>
=mf ~integer
kc Infinity NaN false null true undefined
kr as byte char constructor declare double final float from goto int long native package short synchronized throws transient type volatile
kt boolean number string
k catch
kd class const enum function interface let override var with
ow delete in instanceof new typeof void
nb Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date Float32Array Float64Array Function Intl JSON Map Math Number Object Promise Proxy Reflect RegExp Set String Symbol Uint8ClampedArray WeakMap WeakSet arguments decodeURI decodeURIComponent document encodeURI encodeURIComponent eval global globalThis isFinite isNaN parseFloat parseInt window
ne Error
`,
  Turtle: `
=- ~space
=s ~word ~' string /string string~word string~' string^'
=c ~# comment
l false true
`,
  'HTML+Twig': `
=- ~word ~space ~= ~integer ~( ~, ~) ~. ~+ ~float ~" ~' ~{ ~; ~} ~[ ~] ~# ~/ ~* ~- ~%
=p ~<
`,
  Twig: `
=x ~word ~space ~= ~integer ~( ~, ~) ~. ~+ ~float ~" ~' ~{ ~; ~} ~[ ~] ~# ~/ ~* ~- ~% ~<
`,
  TypeScript: `
=nx ~word ~? ~Word ~after-class ~after-function constant builtin /builtin
=mf ~integer
=kt keyword
kc Infinity NaN false null true undefined
k abstract async await break case catch continue debugger default do else export extends finally for if implements import of private protected public readonly return static super switch this throw try while yield
kr as byte char constructor declare double final float from goto int long native package short synchronized throws transient type volatile
kt boolean number string
kd class const enum function interface let override var with
ow delete in instanceof new typeof void
nb Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date Float32Array Float64Array Function Intl JSON Map Math Number Object Promise Proxy Reflect RegExp Set String Symbol Uint8ClampedArray WeakMap WeakSet arguments decodeURI decodeURIComponent document encodeURI encodeURIComponent eval global globalThis isFinite isNaN parseFloat parseInt window
ne Error
`,
  TypoScript: `
=- ~word ~space ~" ~; ~- ~member tag string /tag /string string~word string~space punctuation~; string^' /string~space
=o ~= ~% string~=
=mi ~integer tag~integer
=ss ~( ~) ~{ ~} ~[ ~]
=c ~# ~/ ~* comment /comment comment~space comment~word comment~/ comment~* comment^/*
nb FEData INCLUDE_TYPOSCRIPT _CSS_DEFAULT_STYLE _DEFAULT_PI_VARS _LOCAL_LANG cObj config constants content field file frameset includeLibs lib page plugin register resources sitemap sitetitle styles temp tt_ types xmlnews
nc ACT ACTIFSUB ACTIFSUBRO ACTRO CASE CLEARGIF COA COA_INT COBJ_ARRAY COLUMNS CONTENT CTABLE CUR CURIFSUB CURIFSUBRO CURRO EDITPANEL FILE FILES FLUIDTEMPLATE FORM GMENU GMENU_FOLDOUT GMENU_LAYERS HMENU HRULER HTML IFSUB IFSUBRO IMAGE IMGMENU IMGMENUITEM IMGTEXT IMG_RESOURCE JSMENU JSMENUITEM LOAD_REGISTER MEDIA MULTIMEDIA NO OTABLE PAGE PHP_SCRIPT QTOBJECT RECORDS RESTORE_REGISTER SEARCHRESULT SPC SVG SWFOBJECT TEMPLATE TEXT TMENU TMENUITEM TMENU_LAYERS USER USERDEF1 USERDEF1RO USERDEF2 USERDEF2RO USER_INT USR USRRO
nf HTMLparser HTMLparser_tags addParams cache encapsLines filelink if imageLinkWrap imgResource makelinks numRows numberFormat parseFunc replacement round select split stdWrap strPad tableStyle tags textStyle typolink userFunc
`,
  'Unix/Linux config files': `
=- ~word ~( ~, ~) ~- key
=s ~space ~= ~integer ~. ~+ ~float ~{ ~; ~} ~[ ~] ~/ ~* ~% ~< ~member inner-value section-name comment~; comment^;
=c ~# comment
`,
  VBScript: `
=s2 ~" string
=c1 ~' comment /comment comment~' comment~word comment^'
=o ~/
=caseless caseless
k getref each execute
ow and eqv imp is mod not or xor
nb abs array asc atn cbool cbyte ccur cdate cdbl cint clng csng cstr chr cos createobject date dateadd datediff datepart dateserial datevalue day debug dictionary drive drives err eval exp file filesystemobject files filter fix folder folders formatcurrency formatdatetime formatnumber formatpercent getlocale getobject hex hour instr int isarray isdate isempty isnull isnumeric isobject join lbound lcase ltrim left len loadpicture log match matches mid minute month monthname msgbox now oct rgb rtrim randomize regexp replace right rnd round scriptengine scriptenginebuildversion scriptenginemajorversion scriptengineminorversion second setlocale sgn space split sqr strcomp strreverse string submatches tan textstream time timeserial timevalue timer trim typename ubound ucase vartype weekday weekdayname year instrrev
no false true vbabort vbabortretryignore vbapplicationmodal vbarray vbbinarycompare vbblack vbblue vbboole vbbyte vbcancel vbcr vbcrlf vbcritical vbcurrency vbcyan vbdataobject vbdate vbdefaultbutton1 vbdefaultbutton2 vbdefaultbutton3 vbdefaultbutton4 vbdouble vbempty vberror vbexclamation vbfalse vbfirstfullweek vbfirstjan1 vbformfeed
c1 rem
`,
  Vala: `
=o ~%
=n string^'
kd abstract class const delegate dynamic ensures errordomain extern inline interface internal override owned private protected public ref requires signal static struct throws unowned var virtual volatile weak yields
kt bool char double float int int16 int32 int64 int8 long short size_t ssize_t string time_t uchar uint uint16 uint32 uint64 uint8 ulong unichar ushort void
kn namespace using
nb false null true
`,
  'VB.net': `
=nn keyword~word
=caseless caseless
k addhandler alias byref byval cbool cbyte cchar cdate cdbl cdec cint clng cobj csbyte cshort csng cstr ctype cuint culng cushort call case catch class const continue declare default delegate dim directcast do each else elseif end endif enum erase error event exit false finally for friend function get global gosub goto handles if implements imports inherits interface let lib loop me module mustinherit mustoverride mybase myclass namespace narrowing new next not notinheritable notoverridable nothing of on operator option optional overloads overridable overrides paramarray partial private property protected public raiseevent redim readonly removehandler resume return select set shadows shared single static step stop structure sub synclock then throw to true try trycast using wend when while widening with withevents writeonly
ow addressof and andalso as gettype in is isnot like mod or orelse typeof xor
kt boolean byte char date decimal double integer long object sbyte short string uinteger ulong ushort variant
c rem
`,
  Velocity: `
=x ~word ~space ~= ~integer ~( ~, ~) ~. ~+ ~float ~" ~' ~; ~} ~[ ~] ~/ ~* ~- ~% ~<
`,
  verilog: `
=mh ~integer ~' number /number number~word
=o ~:
=p ~@ important~@
=nb ~$ kernel-function
=w important /important
k always always_comb always_ff always_latch strength
kt bit byte int logic longint real realtime reg shortint shortreal supply0 supply1 time tri tri0 tri1 triand trior trireg uwire wand wire wor
`,
  vhdl: `
=nn ~. ~after-use
=o ~:
=caseless caseless
k abs and mod nand nor not or rem rol ror sla sll sra srl xnor xor
kt bit bit_vector boolean character delay_length file_open_kind file_open_status integer natural positive severity_level signed std_logic std_logic_vector std_ulogic std_ulogic_vector string time unsigned
nn ieee std work
`,
  VimL: `
=s2 ~" string /string string~space string^" /string~space
=- ~space ~word ~: ~. ~* builtin /builtin operator~* operator^*
=p ~= ~! ~> ~< operator~!
=m ~integer
=k ~member
k abort const echo eval execute unset
nb NONE bold dark italic light underline
`,
  Vue: `
=- ~word ~space ~= ~integer ~( ~, ~) ~. ~+ ~float ~" ~' ~{ ~; ~} ~[ ~] ~# ~/ ~* ~- ~%
=p ~<
`,
  Vyper: `
=mi ~float
=s2 ~" string~" string^"
=o ~/ ~%
kt String address bool bytes bytes1 bytes10 bytes11 bytes12 bytes13 bytes14 bytes15 bytes16 bytes17 bytes18 bytes19 bytes2 bytes20 bytes21 bytes22 bytes23 bytes24 bytes25 bytes26 bytes27 bytes28 bytes29 bytes3 bytes30 bytes31 bytes32 bytes4 bytes5 bytes6 bytes7 bytes8 bytes9 decimal enum int int128 int16 int256 int32 int64 int8 string uint uint128 uint16 uint256 uint32 uint64 uint8
kd constant immutable nonpayable private public pure view
k event extcall implements indexed interface log staticcall struct
nb _abi_decode _abi_encode abs as_wei_value bitwise_and bitwise_not bitwise_or bitwise_xor blockhash ceil concat convert create_copy_of create_from_blueprint create_minimal_proxy_to ecadd ecmul ecrecover empty extract32 floor isqrt keccak256 len max max_value method_id min min_value pow_mod256 print range sha256 shift slice sqrt uint256_addmod uint256_mulmod uint2str unsafe_add unsafe_div unsafe_mul unsafe_sub
no EMPTY_BYTES32
nc ERC20
na self
`,
  WebAssembly: `
=- ~space
=s2 ~" ~word string
kt f32 f64 i32 i64
k funcref
nb br br_if br_table call call_indirect drop nop return select unreachable
`,
  'Web IDL': `
=nc ~word string
=- ~space
=cp ~#
nc Infinity NaN any attribute boolean byte callback const deleter dictionary double enum float getter inherit interface iterable long maplike namespace null object octet optional or partial readonly required sequence setlike setter short static stringifier typedef unrestricted unsigned void
`,
  'WebGPU Shading Language': `
=o ~%
kr NULL Self abstract active alignas alignof as asm asm_fragment async attribute auto await become binding_array cast catch class co_await co_return co_yield coherent column_major common compile compile_fragment concept const_cast consteval constexpr constinit crate debugger decltype delete demote demote_to_helper do dynamic_cast enum explicit export extends extern external fallthrough filter final finally friend from fxgroup get goto groupshared highp impl implements import inline instanceof interface layout lowp macro macro_rules match mediump meta mod module move mut mutable namespace new nil noexcept noinline nointerpolation noperspective null nullptr of operator package packoffset partition pass patch pixelfragment precise precision premerge priv protected pub public readonly ref regardless register reinterpret_cast require resource restrict self set shared sizeof smooth snorm static static_assert static_cast std subroutine super target template this thread_local throw trait try type typedef typeid typename typeof union unless unorm unsafe unsized use using varying virtual volatile
k alias const_assert diagnostic requires
kd const let override var
kc false true
`,
  Wikitext: `
=- ~word ~space ~= ~integer ~( ~, ~) ~. ~+ ~float ~" ~' ~{ ~; ~} ~/ ~* ~- ~% ~<
=k ~# punctuation /punctuation punctuation~# punctuation~;
`,
  Wren: `
=mf ~integer
=o ~. ~%
=cs ~# attribute /attribute attribute~# attribute~space attribute~word attribute^#
=s string string-literal/string
kc false null true
ow in is
nc F0 Z_0
vc __
`,
  XQuery: `
=nt ~word ~.
=s2 ~" string~" string^"
=p ~/ ~-
=nf function
k following into preceding try with
nt as ascending at attribute case collation comment construction declare default descending document element encoding every external for function if import in inherit lax let map module namespace option order ordered ordering preserve satisfies schema some stable strict strip text to typeswitch unordered validate variable version where xquery
`,
  XML: `
=nt ~< ~> ~/ punctuation tag/punctuation
=na ~= attr-name/namespace punctuation~=
=s ~' attr-value/punctuation punctuation~'
`,
  'XML+PHP': `
=nx ~word
=- ~space
=o ~. ~%
=s2 ~" string~" string^"
`,
  XSLT: `
=- ~word ~= ~integer ~( ~, ~) ~. ~+ ~float ~" ~' ~{ ~; ~} ~[ ~] ~# ~/ ~* ~- ~%
=nt ~<
`,
  YAML: `
=l+l-Scalar+l-Scalar-Plain ~integer ~/ ~. ~member boolean null
=p+p-Indicator ~[ ~, ~] ~| ~{ ~} punctuation~| punctuation^| /punctuation~|
=s ~' string /string string~word string~' string^'
=nl ~& important /important
=nv ~* ~float important~* important^*
`,
  YANG: `
=nv ~word ~= ~( ~, ~) ~. ~[ ~] ~# ~- ~% ~< keyword
=s2 ~" string~" string^"
=c ~/ ~* comment /comment comment~/ comment~space comment~word comment~* comment^/*
k action anydata anyxml argument augment base bit case choice config contact container default description deviate deviation enum extension feature grouping identity import include input key leaf length list mandatory modifier module must namespace notification organization output path pattern position prefix presence range reference refine revision rpc status submodule type typedef unique units uses value when
nc add binary bits boolean current decimal64 delete deprecated empty enumeration false identityref int16 int32 int64 int8 leafref max min obsolete replace string true uint16 uint32 uint64 uint8 unbounded union user
o and not or
`,
  Zeek: `
=mf ~integer
=s ~. ~member
=c ~# comment
=sr ~/ ~* operator~* operator^*
=o ~%
=n string^'
kt addr any bool count double enum event file function hook int interval pattern port record set string subnet table time vector
ow as in is of
k case default fallthrough redef switch while
kd const global local option
`,
  Zig: `
=nb ~@ builtin /builtin
=o ~:
kr align allowzero comptime const export extern inline linksection nakedcc noalias packed pub stdcallcc threadlocal var volatile
kt anyerror bool c_int c_long c_longdouble c_longlong c_short c_uint c_ulong c_ulonglong c_ushort c_void comptime_float comptime_int f128 f16 f32 f64 i0 i128 i16 i32 i64 i8 isize noreturn promise type u0 u128 u16 u32 u64 u8 usize void
kc false null true undefined
`,
}
