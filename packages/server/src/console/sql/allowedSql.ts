/** Deny by default: a query may use these parts of SQL, functions and types, and no others. */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Nodes of the parsed query. */
export const allowedNodes = words(`
  SelectStmt ResTarget ColumnRef A_Star String Integer Float Boolean A_Const A_Expr BoolExpr NullTest BooleanTest CaseExpr
  CaseWhen CoalesceExpr MinMaxExpr FuncCall TypeCast SubLink RangeVar RangeSubselect JoinExpr RangeFunction SortBy
  WindowDef List A_ArrayExpr A_Indirection A_Indices CommonTableExpr GroupingSet GroupingFunc RowExpr SQLValueFunction
`)

/** Fields that hold a part without its name. Others, such as `intoClause`, are refused. */
export const allowedParts = words(`
  larg rarg withClause alias typeName over ival sval fval boolval bsval join_using_alias
`)

/** Functions that compute from their arguments alone. None runs a text as SQL, waits, or reaches files and sessions. */
export const allowedFunctions = words(`
  count sum avg min max every bool_and bool_or string_agg array_agg json_agg jsonb_agg json_object_agg jsonb_object_agg
  percentile_cont percentile_disc mode stddev stddev_pop stddev_samp variance var_pop var_samp corr covar_pop covar_samp
  regr_slope regr_intercept regr_r2 any_value
  row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
  lower upper initcap length char_length character_length octet_length substr substring left right btrim ltrim rtrim
  concat concat_ws replace translate split_part position strpos starts_with reverse ascii md5 to_hex overlay
  regexp_replace regexp_match regexp_matches regexp_count regexp_split_to_array regexp_split_to_table like_escape
  string_to_array array_to_string array_length array_position array_positions array_append array_remove array_cat
  cardinality unnest to_char to_number to_date to_timestamp
  abs ceil ceiling floor round trunc sqrt cbrt power pow exp ln log mod div sign degrees radians pi width_bucket random
  sin cos tan asin acos atan atan2
  now date_trunc date_part extract date_bin age make_date make_time make_timestamp make_timestamptz make_interval
  timezone isfinite justify_days justify_hours justify_interval generate_series
  to_json to_jsonb row_to_json json_build_object jsonb_build_object json_build_array jsonb_build_array
  json_array_length jsonb_array_length json_array_elements jsonb_array_elements json_array_elements_text
  jsonb_array_elements_text json_each jsonb_each json_each_text jsonb_each_text json_object_keys jsonb_object_keys
  json_extract_path jsonb_extract_path json_extract_path_text jsonb_extract_path_text json_typeof jsonb_typeof
  jsonb_path_exists jsonb_path_query jsonb_path_query_array jsonb_path_query_first jsonb_strip_nulls jsonb_pretty
  point encode num_nulls num_nonnulls
`)

export const allowedTypes = words(`
  bool int2 int4 int8 float4 float8 numeric text varchar bpchar date time timetz timestamp timestamptz interval json jsonb
  uuid point bytea
`)

/** `current_date` and its kind. Not `current_user`. */
export const allowedValues = words(`
  SVFOP_CURRENT_DATE SVFOP_CURRENT_TIME SVFOP_CURRENT_TIME_N SVFOP_CURRENT_TIMESTAMP SVFOP_CURRENT_TIMESTAMP_N
  SVFOP_LOCALTIME SVFOP_LOCALTIME_N SVFOP_LOCALTIMESTAMP SVFOP_LOCALTIMESTAMP_N
`)
