(** * The numbers of the variant `best`

    The proof (BackwardChain.v, LastEpoch.v) has seven free numbers; everything else is derived from them, and [closes] lists
    what has to hold.  Two sets are used, both rational: one needs H5 alone, the other that the last learning rate has
    grown by sqrt 2, as it does when epochs double.  The names are those of bounds/best/parameters.py.              *)
From Coq Require Import Reals Lra Lia Psatz.
Open Scope R_scope.

Record parameters := Parameters {
  last_multiplier : R;         (** lambda: multiplier of the risk in the last epoch L *)
  previous_multiplier : R;     (** lambda': multiplier of the risk in epoch L-1 *)
  decay : R;        (** theta: factor between the weights of consecutive earlier epochs *)
  spread : R;       (** kap: how unequal those weights may be *)
  absorbed : R;     (** eta: share of an arm's own regret kept to absorb its chain *)
  transferred : R;  (** mu: weight moved from the best arm to the previous greedy arm *)
  rate_ratio : R         (** rbar: gamma^{L-1} / gamma^L is at most this *)
}.

(** ** Derived numbers *)
Section Derived.
  Variable p : parameters.
  Definition own_share : R := 1 + absorbed p.                                    (* A *)
  Definition shift : R := transferred p - absorbed p.                      (* xi *)
  Definition entry : R := own_share ^ 2 / (4 * last_multiplier p).                          (* X *)
  Definition entry' : R := (1 - shift) ^ 2 / (4 * last_multiplier p).                 (* X' *)
  Definition paid_entry : R := transferred p ^ 2 / (4 * last_multiplier p).           (* Y *)
  Definition weight_size : R := entry + entry'.                                   (* nt *)
  Definition weight_squares : R := entry ^ 2 + entry' ^ 2.                        (* S2 *)
  Definition start_size : R := (weight_size ^ 2 + weight_squares) / (4 * previous_multiplier p).    (* n *)
  (** what the previous greedy arm pays of itself, and what any other arm's chain adds up to *)
  Definition restart : R :=                                                (* zeta *)
    (weight_size / (4 * previous_multiplier p)) / (1 - decay p * (weight_size ^ 2 / (weight_size ^ 2 + weight_squares)) / spread p).
  Definition own_chain : R :=                                              (* s *)
    entry + (entry ^ 2 / (4 * previous_multiplier p)) / (1 - decay p * (entry ^ 2 / (weight_size ^ 2 + weight_squares)) / spread p).
  Definition met_size : R := 2 * entry ^ 2 / (4 * previous_multiplier p).             (* n_C *)
  Definition greedy_entry : R := (1 + absorbed p / 2) ^ 2 / (4 * last_multiplier p).  (* x *)
  (** C(g) = max(1 - 1/K, 1 - 2/K + a) + b g^2 *)
  Definition arms_constant : R := weight_size + paid_entry + start_size / (1 - decay p).                                   (* a *)
  Definition risk_constant : R :=                                                                                   (* b *)
    last_multiplier p + previous_multiplier p + spread p * start_size / (4 * decay p * (1 - decay p)).
  (** the same for epochs 2 and 3, whose past is short *)
  Definition arms_constant_2 : R := 1 / (2 * last_multiplier p).
  Definition arms_constant_3 : R := Rmax (weight_size + paid_entry + start_size) (2 * entry + met_size).
End Derived.

(** ** The side conditions E1 - E12 *)
Record closes (p : parameters) : Prop := {
  last_pos : 0 < last_multiplier p;
  previous_pos : 0 < previous_multiplier p;
  decay_pos : 0 < decay p;
  decay_lt_1 : decay p < 1;
  absorbed_nonneg : 0 <= absorbed p;
  ratio_pos : 0 < rate_ratio p;
  E1 : rate_ratio p * own_chain p <= absorbed p;
  E2 : transferred p <= rate_ratio p * (1 - restart p) * weight_size p;
  E2_restart : restart p <= 1;
  E3_nonneg : 0 <= shift p;
  E3 : shift p <= absorbed p;
  E4 : 2 <= own_share p ^ 2 + (1 - shift p) ^ 2 + transferred p ^ 2;
  E5 : 2 * own_share p * absorbed p / 3 + absorbed p ^ 2 / 9 + (1 + absorbed p / 3) ^ 2 / 3 <= 1;
  E6 : absorbed p + greedy_entry p <= 1;
  E7 : greedy_entry p + (2 * greedy_entry p ^ 2 / (4 * previous_multiplier p)) / (1 - decay p) + absorbed p / 2 <= 1;
  E7_squares : 1 + 2 * absorbed p / 3 + absorbed p ^ 2 / 9 + (1 + absorbed p / 3) ^ 2 / 3 <= 4 * last_multiplier p * weight_size p;
  E8 : 3 / 2 <= spread p;
  E8_start : weight_size p ^ 4 + entry p ^ 2 * weight_squares p <= (spread p - 1) * (weight_size p ^ 2 + weight_squares p) ^ 2;
  E8_decay : 1 + 4 / 9 * (spread p - 1) <= (spread p - 1) * spread p ^ 2;
  E9 : start_size p * met_size p <= (arms_constant p - 2 * entry p) * (start_size p - decay p * met_size p);
  E10 : 2 * decay p <= spread p;
  E11 : entry' p <= entry p;
  E12 : transferred p <= 1 / 2
}.

(** H5 alone. *)
Definition any_schedule : parameters :=
  Parameters (48 / 25) (11 / 25) (3 / 10) (153 / 100) (107 / 500) (497 / 2000) 1.
(** gamma^{L-1} <= gamma^L / sqrt 2;  169/239 is a convergent from above: 2 * 169^2 = 239^2 + 1. *)
Definition after_doubling : parameters :=
  Parameters (169 / 100) (58 / 125) (3 / 10) (153 / 100) (97 / 625) (47 / 250) (169 / 239).

(** H5 alone again, optimised for many arms. *)
Definition tuned : parameters :=
  Parameters (9531 / 5000) (581 / 1250) (1437 / 5000) (7643 / 5000) (1073 / 5000) (1269 / 5000) 1.

Ltac numbers :=
  unfold arms_constant, risk_constant, arms_constant_2, own_chain, restart, met_size, start_size, weight_squares, weight_size, greedy_entry,
    paid_entry, entry, entry', shift, own_share; cbn [last_multiplier previous_multiplier decay spread absorbed transferred rate_ratio]; lra.

Theorem any_schedule_closes : closes any_schedule.
Proof. constructor; unfold any_schedule; numbers. Qed.
Theorem after_doubling_closes : closes after_doubling.
Proof. constructor; unfold after_doubling; numbers. Qed.

Theorem tuned_closes : closes tuned.
Proof. constructor; unfold tuned; numbers. Qed.

(** ** The constants

    C(g) = max(1 - 1/K, 1 - 2/K + a) + b g^2, exactly, and what it is at a good g. *)
Definition best_arms : R := 85810593538027 / 193776844800000.
Definition best_risk : R := 6497796699037339 / 2583691264000000.
Definition doubling_arms : R := 34247158136673 / 72473537500000.
Definition doubling_risk : R := 6730457456051523 / 2898941500000000.

Theorem any_schedule_arms : arms_constant any_schedule = best_arms.
Proof. unfold any_schedule, best_arms; numbers. Qed.
Theorem any_schedule_risk : risk_constant any_schedule = best_risk.
Proof. unfold any_schedule, best_risk; numbers. Qed.
Theorem after_doubling_arms : arms_constant after_doubling = doubling_arms.
Proof. unfold after_doubling, doubling_arms; numbers. Qed.
Theorem after_doubling_risk : risk_constant after_doubling = doubling_risk.
Proof. unfold after_doubling, doubling_risk; numbers. Qed.

(** Agents in step, K the largest number of arms: H5 alone; epochs that double; two arms. *)
Definition best_constant (K g : R) : R := Rmax (1 - / K) (1 - 2 / K + best_arms) + best_risk * g ^ 2.
Definition doubling_constant (K g : R) : R := Rmax (1 - / K) (1 - 2 / K + doubling_arms) + doubling_risk * g ^ 2.
Definition two_arm_constant (g : R) : R := 1 / 2 + 9 / 4 * g ^ 2.
(** Agents out of step: c bounds the ratio of lengths between consecutive epochs, or between any two. *)
Definition asynchronous_constant (K g c : R) : R :=
  Rmax (1 - / K) (1 - 2 / K + best_arms)
  + (48 / 25 * c + 11 / 25 * c ^ 2 + 400285315997339 / 3690987520000000 * c ^ 3 / (1 - 3 / 10 * c)) * g ^ 2.
Definition best_constant_any_epochs (K g c : R) : R := Rmax (1 - / K) (1 - 2 / K + best_arms) + c * best_risk * g ^ 2.

(** C/g at the best rate g^2 = A/B is 2 sqrt(A B). *)
Lemma balanced A B : 0 < A -> 0 < B -> let g := sqrt (A / B) in (A + B * g ^ 2) / g = 2 * sqrt (A * B).
Proof.
  intros HA HB g. assert (Hx : 0 < A / B) by (apply Rdiv_lt_0_compat; assumption).
  assert (Hg : 0 < g) by (apply sqrt_lt_R0; exact Hx).
  assert (Hgg : g * g = A / B) by (apply sqrt_sqrt; lra).
  assert (Hs : sqrt (A * B) = B * g).
  { apply sqrt_lem_1; [nra|nra|]. replace (B * g * (B * g)) with (B * B * (g * g)) by ring. rewrite Hgg. field. lra. }
  rewrite Hs. replace A with (B * (g * g)) by (rewrite Hgg; field; lra). field. lra.
Qed.
Lemma sqrt_below x y : 0 <= y -> x <= y * y -> sqrt x <= y.
Proof. intros Hy H. rewrite <- (sqrt_square y Hy). apply sqrt_le_1_alt. exact H. Qed.

(** its value: the factor of S^l sqrt(e_{l-1} / Kbar^{l-1}) in thm:global_regret *)
Definition best_over_g (K : R) : R := 2 * sqrt (Rmax (1 - / K) (1 - 2 / K + best_arms) * best_risk).
Definition doubling_over_g (K : R) : R := 2 * sqrt (Rmax (1 - / K) (1 - 2 / K + doubling_arms) * doubling_risk).

Lemma arms_positive a K : 2 <= K -> 0 < Rmax (1 - / K) (1 - 2 / K + a).
Proof.
  intro HK. assert (/ K <= / 2) by (apply Rinv_le_contravar; lra). eapply Rlt_le_trans; [|apply Rmax_l]. lra.
Qed.
Lemma arms_below a K : 2 <= K -> 0 <= a -> Rmax (1 - / K) (1 - 2 / K + a) <= 1 + a.
Proof.
  intros HK Ha. assert (0 < / K) by (apply Rinv_0_lt_compat; lra). unfold Rdiv. apply Rmax_lub; lra.
Qed.

Theorem best_constant_attained K : 2 <= K ->
  let g := sqrt (Rmax (1 - / K) (1 - 2 / K + best_arms) / best_risk) in best_constant K g / g = best_over_g K.
Proof.
  intros HK g. unfold best_constant. apply (balanced (Rmax (1 - / K) (1 - 2 / K + best_arms)) best_risk).
  - apply arms_positive. exact HK.
  - unfold best_risk. lra.
Qed.
Theorem doubling_constant_attained K : 2 <= K ->
  let g := sqrt (Rmax (1 - / K) (1 - 2 / K + doubling_arms) / doubling_risk) in doubling_constant K g / g = doubling_over_g K.
Proof.
  intros HK g. unfold doubling_constant. apply (balanced (Rmax (1 - / K) (1 - 2 / K + doubling_arms)) doubling_risk).
  - apply arms_positive. exact HK.
  - unfold doubling_risk. lra.
Qed.
Theorem two_arm_constant_attained : two_arm_constant (sqrt (2 / 9)) / sqrt (2 / 9) = 3 / sqrt 2.
Proof.
  assert (H2 : 0 < sqrt 2) by (apply sqrt_lt_R0; lra). assert (H22 : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra).
  replace (sqrt (2 / 9)) with (sqrt 2 / 3).
  - unfold two_arm_constant. replace ((sqrt 2 / 3) ^ 2) with (sqrt 2 * sqrt 2 / 9) by field. rewrite H22. field. lra.
  - symmetry. apply sqrt_lem_1; [lra|lra|]. replace (sqrt 2 / 3 * (sqrt 2 / 3)) with (sqrt 2 * sqrt 2 / 9) by field. rewrite H22. field.
Qed.

(** C/g at the best rate, for every number of arms: 3.8098 under H5 alone, where the paper's proof has 11. *)
Theorem best_over_g_value K : 2 <= K -> best_over_g K <= 38098 / 10000.
Proof.
  intro HK. pose proof (arms_below best_arms K HK ltac:(unfold best_arms; lra)) as H. pose proof (arms_positive best_arms K HK).
  unfold best_over_g. assert (sqrt (Rmax (1 - / K) (1 - 2 / K + best_arms) * best_risk) <= 38098 / 20000); [|lra].
  apply sqrt_below; [lra|]. apply Rle_trans with ((1 + best_arms) * best_risk).
  - apply Rmult_le_compat_r; [unfold best_risk; lra|exact H].
  - unfold best_arms, best_risk. lra.
Qed.
(** C/g at the best rate, for every number of arms, when epochs double: 3.6981. *)
Theorem doubling_over_g_value K : 2 <= K -> doubling_over_g K <= 36981 / 10000.
Proof.
  intro HK. pose proof (arms_below doubling_arms K HK ltac:(unfold doubling_arms; lra)) as H. pose proof (arms_positive doubling_arms K HK).
  unfold doubling_over_g. assert (sqrt (Rmax (1 - / K) (1 - 2 / K + doubling_arms) * doubling_risk) <= 36981 / 20000); [|lra].
  apply sqrt_below; [lra|]. apply Rle_trans with ((1 + doubling_arms) * doubling_risk).
  - apply Rmult_le_compat_r; [unfold doubling_risk; lra|exact H].
  - unfold doubling_arms, doubling_risk. lra.
Qed.
(** The tuned parameters, rounded up: C = 1 - 2/K + 0.43700 + 2.52259 g^2 for K >= 3, and C/g <= 3.8079 at the best g. *)
Definition tuned_arms : R := 437 / 1000.
Definition tuned_risk : R := 252259 / 100000.
Lemma tuned_constants : arms_constant tuned <= tuned_arms /\ risk_constant tuned <= tuned_risk.
Proof. split; unfold tuned, tuned_arms, tuned_risk; numbers. Qed.
Definition tuned_constant (K g : R) : R := Rmax (1 - / K) (1 - 2 / K + tuned_arms) + tuned_risk * g ^ 2.
Definition tuned_over_g (K : R) : R := 2 * sqrt (Rmax (1 - / K) (1 - 2 / K + tuned_arms) * tuned_risk).
(** C/g at the best rate, for every number of arms, by tuned parameters: 3.8079. *)
Theorem tuned_over_g_value K : 2 <= K ->
  (let g := sqrt (Rmax (1 - / K) (1 - 2 / K + tuned_arms) / tuned_risk) in tuned_constant K g / g = tuned_over_g K) /\
  tuned_over_g K <= 38079 / 10000.
Proof.
  intro HK. pose proof (arms_below tuned_arms K HK ltac:(unfold tuned_arms; lra)) as H. pose proof (arms_positive tuned_arms K HK) as H0.
  assert (HB : 0 < tuned_risk) by (unfold tuned_risk; lra). split.
  - apply (balanced (Rmax (1 - / K) (1 - 2 / K + tuned_arms)) tuned_risk H0 HB).
  - unfold tuned_over_g. assert (sqrt (Rmax (1 - / K) (1 - 2 / K + tuned_arms) * tuned_risk) <= 38079 / 20000); [|lra].
    apply sqrt_below; [lra|]. apply Rle_trans with ((1 + tuned_arms) * tuned_risk).
    + apply Rmult_le_compat_r; lra.
    + unfold tuned_arms, tuned_risk. lra.
Qed.
(** One rate for every K: g = 3/4 gives 3.81. *)
Theorem best_constant_at_three_quarters K : 2 <= K -> best_constant K (3 / 4) / (3 / 4) <= 381 / 100.
Proof.
  intro HK. pose proof (arms_below best_arms K HK ltac:(unfold best_arms; lra)) as H. unfold best_constant, best_risk, best_arms in *. lra.
Qed.
