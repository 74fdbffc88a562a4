(** * Ridge regression: what the gap of an approximate solution says of fresh points

    n independent samples of any laws Q_i, |phi| <= 1, lambda n = 1, G = sum_j phi_j phi_j'; phi~_i is a fresh copy of the i-th
    feature.  For every v, whatever it was computed from,

        sum_i E (phi~_i'v)^2 <= T (sum_j (phi_j'v)^2 + |v|^2),    T = sum_i E phi~_i'(G + I)^{-1}phi~_i       ([fresh_squares])
        E T <= d                                                                                            ([mean_leverage])

    and the bracket is n times the gap F(w_S + v) - F(w_S) of ridge regression, so a solver whose gap is at most E/n in every run has
    sum_i E (phi~_i'(w - w_S))^2 <= d E  ([gap_to_risk]).  Main definition: [fresh_leverage], T.

    The idea: given the design without phi_i, with B = G - phi_i phi_i' + I, the copy and phi_i may be exchanged, phi~'(G + I)^{-1}phi~ <=
    phi~'B^{-1}phi~, and B + e I >= G + e I because |phi_i| <= 1; sum_i phi_i'(G + e I)^{-1}phi_i <= d for every e > 0.            *)
From Coq Require Import Reals Lra Lia Psatz List Arith FunctionalExtensionality.
From FedIGW Require Import FiniteSums FiniteProbability AcceleratedGradient RidgeExcessRisk Exchangeability RidgeSamples RidgeDifferentLaws.
Import ListNotations.
Open Scope R_scope.

(** (p'v)^2 <= p'A^{-1}p v'A v *)
Lemma dot_square d phi k p v :
  dot d p v ^ 2 <= dot d p (solve d phi k p) * (sum k (fun j => dot d (phi j) v ^ 2) + square_norm d v).
Proof.
  set (s := solve d phi k p).
  assert (Eb : dot d p v = sum k (fun j => dot d (phi j) s * dot d (phi j) v) + dot d v s).
  { rewrite dot_symmetric, <- (dot_ext d v (A d phi k s) p (solve_solves d phi k p)). apply dot_A. }
  assert (Ec : dot d p s = sum k (fun j => dot d (phi j) s * dot d (phi j) s) + dot d s s).
  { rewrite dot_symmetric, <- (dot_ext d s (A d phi k s) p (solve_solves d phi k p)). apply dot_A. }
  assert (C0 : 0 <= dot d p s).
  { rewrite Ec, dot_self. apply Rplus_le_le_0_compat; [apply sum_nonneg; intros; apply Rle_0_sqr|apply square_norm_nonneg]. }
  set (a := sum k (fun j => dot d (phi j) v ^ 2) + square_norm d v).
  assert (H : forall t, 0 <= a - 2 * t * dot d p v + t ^ 2 * dot d p s).
  { intro t. apply Rle_trans with (sum k (fun j => (dot d (phi j) v - t * dot d (phi j) s) ^ 2) + square_norm d (fun i => v i - t * s i)).
    - apply Rplus_le_le_0_compat; [apply sum_nonneg; intros; apply pow2_ge_0|apply square_norm_nonneg].
    - right. rewrite Eb, Ec. unfold a.
      rewrite (sum_ext k (fun j => (dot d (phi j) v - t * dot d (phi j) s) ^ 2)
        (fun j => dot d (phi j) v ^ 2 + (-2 * t) * (dot d (phi j) s * dot d (phi j) v) + t ^ 2 * (dot d (phi j) s * dot d (phi j) s))) by (intros; ring).
      assert (N : square_norm d (fun i => v i - t * s i) = square_norm d v + (-2 * t) * dot d v s + t ^ 2 * dot d s s).
      { unfold square_norm, dot. rewrite <- !sum_scal, <- !sum_plus. apply sum_ext. intros. ring. }
      rewrite N, !sum_plus, !sum_scal. ring. }
  set (b := dot d p v) in *. set (c := dot d p s) in *. clearbody a b c. destruct (Rle_lt_or_eq_dec 0 c C0) as [Hc|Hc].
  - specialize (H (b / c)). replace (a - 2 * (b / c) * b + (b / c) ^ 2 * c) with (a - b ^ 2 / c) in H by (field; lra).
    replace (b ^ 2) with (c * (b ^ 2 / c)) by (field; lra). apply Rmult_le_compat_l; lra.
  - destruct (Req_dec b 0) as [->|Hb]; [rewrite <- Hc; lra|]. specialize (H ((a + 1) / (2 * b))). rewrite <- Hc in H.
    replace (a - 2 * ((a + 1) / (2 * b)) * b + ((a + 1) / (2 * b)) ^ 2 * 0) with (-1) in H by (field; lra). lra.
Qed.

(** p'B^{-1}p <= (1 + 1/c^2) h_i of the design times c, where B leaves p = phi_i out *)
Lemma without_one d phi N i c : (i < N)%nat -> square_norm d (phi i) <= 1 -> 0 < c ->
  dot d (phi i) (solve d (update phi i (fun _ => 0)) N (phi i)) <= (1 + / c ^ 2) * h d (fun j m => c * phi j m) N i.
Proof.
  intros Hi Hp Hc. set (phi0 := update phi i (fun _ => 0)). set (s := solve d phi0 N (phi i)). set (psi := fun j m => c * phi j m).
  assert (Psi : forall j, dot d (psi j) s = c * dot d (phi j) s) by (intro j; rewrite (dot_symmetric d (psi j)), (dot_symmetric d (phi j)); apply dot_scal).
  pose proof (dot_square d psi N (psi i) s) as H. fold (h d psi N i) in H. change (dot d (psi i) (solve d psi N (psi i))) with (h d psi N i) in H.
  rewrite Psi, (sum_ext N (fun j => dot d (psi j) s ^ 2) (fun j => c ^ 2 * dot d (phi j) s ^ 2)), sum_scal in H by (intros; rewrite Psi; ring).
  assert (Ex : dot d (phi i) s = sum N (fun j => dot d (phi0 j) s ^ 2) + square_norm d s).
  { rewrite dot_symmetric, <- (dot_ext d s (A d phi0 N s) (phi i) (solve_solves d phi0 N (phi i))), dot_A, dot_self. f_equal. apply sum_ext. intros. ring. }
  assert (Es : sum N (fun j => dot d (phi j) s ^ 2) = sum N (fun j => dot d (phi0 j) s ^ 2) + dot d (phi i) s ^ 2).
  { rewrite <- (sum_delta N i (fun j => dot d (phi j) s ^ 2) Hi), <- sum_plus. apply sum_ext. intros j _. unfold phi0, update. destruct (Nat.eq_dec j i); [|ring].
    assert (Z : dot d (fun _ => 0) s = 0) by (unfold dot; rewrite (sum_ext d _ (fun _ => 0)) by (intros; ring); apply sum_zero). rewrite Z. ring. }
  assert (Sq : dot d (phi i) s ^ 2 <= square_norm d s).
  { pose proof (cauchy_schwarz d (phi i) s) as C. fold (dot d (phi i) s) (square_norm d (phi i)) (square_norm d s) in C. pose proof (square_norm_nonneg d s).
    assert (square_norm d (phi i) * square_norm d s <= 1 * square_norm d s) by (apply Rmult_le_compat_r; assumption). lra. }
  assert (S0 : 0 <= sum N (fun j => dot d (phi0 j) s ^ 2)) by (apply sum_nonneg; intros; apply pow2_ge_0). pose proof (square_norm_nonneg d s) as N0.
  assert (H0 : 0 <= h d psi N i).
  { unfold h, u. set (t := solve d psi N (psi i)). pose proof (A_positive d psi N t) as P. rewrite (dot_ext d t (A d psi N t) (psi i) (solve_solves d psi N (psi i))), (dot_symmetric d t) in P.
    pose proof (square_norm_nonneg d t). lra. }
  assert (C2 : 0 < c ^ 2) by (apply pow_lt; exact Hc). assert (I2 : 0 < / c ^ 2) by (apply Rinv_0_lt_compat; exact C2).
  rewrite Es in H. set (x := dot d (phi i) s) in *. set (k := h d psi N i) in *. set (n2 := square_norm d s) in *. set (r := sum N (fun j => dot d (phi0 j) s ^ 2)) in *. clearbody x k n2 r.
  replace ((c * x) ^ 2) with (c ^ 2 * (x * x)) in H by ring.
  assert (Hx : c ^ 2 * (x * x) <= k * ((c ^ 2 + 1) * x)).
  { eapply Rle_trans; [exact H|]. apply Rmult_le_compat_l; [exact H0|]. assert (c ^ 2 * (r + x ^ 2) <= c ^ 2 * x) by (apply Rmult_le_compat_l; lra). lra. }
  destruct (Req_dec x 0) as [->|Hn]; [apply Rmult_le_pos; lra|]. assert (X0 : 0 < x) by lra.
  apply (Rmult_le_reg_l (c ^ 2 * x)); [apply Rmult_lt_0_compat; assumption|]. replace (c ^ 2 * x * x) with (c ^ 2 * (x * x)) by ring.
  replace (c ^ 2 * x * ((1 + / c ^ 2) * k)) with (k * ((c ^ 2 + 1) * x)) by (field; lra). exact Hx.
Qed.

Section FreshPoints.
  Context {Y : Type} (feat : Y -> vector) (y0 : Y).
  Variables (d : nat) (Qs : list (list (R * Y))).
  Hypothesis HQs : Forall distribution Qs.
  Hypothesis Hfeat : forall y, square_norm d (feat y) <= 1.
  Let n := length Qs.
  Let at_design (ps : list Y) : nat -> vector := feature_at feat y0 ps.
  Definition fresh_leverage (ps : list Y) : R :=
    sum (length Qs) (fun i => Expect (nth i Qs nil) (fun y => dot d (feat y) (solve d (feature_at feat y0 ps) (length Qs) (feat y)))).
  Lemma one_law i : (i < n)%nat -> distribution (nth i Qs nil).
  Proof. intro Hi. rewrite Forall_forall in HQs. apply HQs, nth_In, Hi. Qed.
  Lemma leverage_nonneg ps : 0 <= fresh_leverage ps.
  Proof.
    apply sum_nonneg. intros i Hi. pose proof (one_law i Hi) as HQ. rewrite <- (Expect_const _ 0 HQ). apply Expect_le; [apply HQ|]. intro y.
    set (s := solve d (feature_at feat y0 ps) (length Qs) (feat y)). pose proof (A_positive d (feature_at feat y0 ps) (length Qs) s) as P.
    rewrite (dot_ext d s (A d (feature_at feat y0 ps) (length Qs) s) (feat y) (solve_solves _ _ _ _)), (dot_symmetric d s) in P.
    pose proof (square_norm_nonneg d s). lra.
  Qed.
  (** sum_i E (phi~_i'v)^2 <= T (sum_j (phi_j'v)^2 + |v|^2) *)
  Theorem fresh_squares ps v :
    sum n (fun i => Expect (nth i Qs nil) (fun y => dot d (feat y) v ^ 2)) <=
    fresh_leverage ps * (sum n (fun j => dot d (at_design ps j) v ^ 2) + square_norm d v).
  Proof.
    unfold fresh_leverage. fold n. rewrite Rmult_comm, <- sum_scal. apply sum_le. intros i Hi. rewrite <- Expect_scal.
    apply Expect_le; [apply (one_law i Hi)|]. intro y. rewrite Rmult_comm. apply dot_square.
  Qed.
  Lemma almost_leverage c : 0 < c -> Expect (product Qs) fresh_leverage <= (1 + / c ^ 2) * INR d.
  Proof.
    intro Hc. set (q := 1 + / c ^ 2). set (scaled := fun ps j m => c * at_design ps j m). pose proof (distribution_product Qs HQs) as Hd.
    assert (Q0 : 0 <= q) by (unfold q; assert (0 < / c ^ 2) by (apply Rinv_0_lt_compat, pow_lt, Hc); lra).
    apply Rle_trans with (Expect (product Qs) (fun ps => sum n (fun i => Expect (nth i Qs nil) (fun y => q * h d (scaled (set_nth i y ps)) n i)))).
    - apply Expect_le_on_support; [apply Hd|]. eapply Forall_impl; [|apply product_length].
      intros [p ps] Hl. cbn [snd] in *. unfold fresh_leverage. fold n. apply sum_le. intros i Hi. apply Expect_le; [apply (one_law i Hi)|]. intro y.
      assert (U : at_design (set_nth i y ps) = update (at_design ps) i (feat y)).
      { apply functional_extensionality. intro j. unfold update, at_design, feature_at. rewrite nth_set by (rewrite Hl; exact Hi). destruct (Nat.eq_dec j i); reflexivity. }
      assert (Same : update (at_design (set_nth i y ps)) i (fun _ => 0) = update (at_design ps) i (fun _ => 0))
        by (rewrite U; apply functional_extensionality; intro j; unfold update; destruct (Nat.eq_dec j i); reflexivity).
      assert (Here : at_design (set_nth i y ps) i = feat y) by (rewrite U; apply update_same).
      eapply Rle_trans; [apply (copy_leverage d n (at_design ps) i (feat y) Hi (Hfeat _))|].
      pose proof (without_one d (at_design (set_nth i y ps)) n i c Hi (Hfeat _) Hc) as W. rewrite Same, Here in W. exact W.
    - rewrite Expect_sum.
      rewrite (sum_ext n _ (fun i => Expect (product Qs) (fun ps => q * h d (scaled ps) n i)))
        by (intros i Hi; apply (draw_again Qs HQs i (fun ps => q * h d (scaled ps) n i) Hi)).
      rewrite <- (Expect_sum (product Qs) n (fun i ps => q * h d (scaled ps) n i)).
      rewrite <- (Expect_const (product Qs) (q * INR d) Hd). apply Expect_le; [apply Hd|]. intro ps. rewrite sum_scal.
      apply Rmult_le_compat_l; [exact Q0|]. apply h_trace.
  Qed.
  (** E T <= d *)
  Theorem mean_leverage : Expect (product Qs) fresh_leverage <= INR d.
  Proof.
    apply le_epsilon. intros e He. pose proof (pos_INR d) as D0. set (c := sqrt ((INR d + 1) / e)).
    assert (P : 0 < (INR d + 1) / e) by (apply Rdiv_lt_0_compat; lra).
    eapply Rle_trans; [apply (almost_leverage c (sqrt_lt_R0 _ P))|]. unfold c. rewrite pow2_sqrt by lra.
    replace ((1 + / ((INR d + 1) / e)) * INR d) with (INR d + e * (INR d / (INR d + 1))) by (field; lra). apply Rplus_le_compat_l.
    rewrite <- (Rmult_1_r e) at 2. apply Rmult_le_compat_l; [lra|]. apply (Rmult_le_reg_r (INR d + 1)); [lra|].
    replace (INR d / (INR d + 1) * (INR d + 1)) with (INR d) by (field; lra). lra.
  Qed.
  (** What is computed from the data, with a gap of at most E/n in every case, errs on fresh points by d E/n in the mean. *)
  Theorem gap_to_risk (rew : Y -> list (R * R)) (v : list (point (Y := Y)) -> vector) E : (forall y, distribution (rew y)) ->
    Forall (fun pt => sum n (fun j => dot d (at_point feat y0 (snd pt) j) (v (snd pt)) ^ 2) + square_norm d (v (snd pt)) <= E) (product (map (fun Q => point_law Q rew) Qs)) ->
    Expect (product (map (fun Q => point_law Q rew) Qs)) (fun t => sum n (fun i => Expect (nth i Qs nil) (fun y => dot d (feat y) (v t) ^ 2))) <= INR d * E.
  Proof.
    intros Hrew Hv. pose proof (distribution_product Qs HQs) as Hd.
    assert (HL : distribution (product (map (fun Q => point_law Q rew) Qs))).
    { apply distribution_product. apply Forall_map. eapply Forall_impl; [|exact HQs]. intros Q HQ. unfold point_law. apply distribution_bind; [exact HQ|]. intro y.
      apply distribution_bind; [apply Hrew|]. intro r. apply distribution_dirac. }
    assert (E0 : 0 <= E).
    { rewrite <- (Expect_const _ 0 HL), <- (Expect_const _ E HL). apply Expect_le_on_support; [apply HL|]. eapply Forall_impl; [|exact Hv]. intros [p t] H. cbn [snd] in *.
      eapply Rle_trans; [|exact H]. apply Rplus_le_le_0_compat; [apply sum_nonneg; intros; apply pow2_ge_0|apply square_norm_nonneg]. }
    apply Rle_trans with (Expect (product (map (fun Q => point_law Q rew) Qs)) (fun t => E * fresh_leverage (map fst t))).
    - apply Expect_le_on_support; [apply HL|]. eapply Forall_impl; [|exact Hv]. intros [p t] H. cbn [snd] in *. eapply Rle_trans; [apply (fresh_squares (map fst t) (v t))|].
      rewrite (Rmult_comm E). apply Rmult_le_compat_l; [apply leverage_nonneg|]. eapply Rle_trans; [|exact H]. right. f_equal. apply sum_ext. intros j _.
      unfold at_design, feature_at, at_point. rewrite (map_nth fst t (nowhere y0) j : nth j (map fst t) y0 = _). reflexivity.
    - rewrite Expect_scal, (designs_first rew Qs), (Rmult_comm (INR d)). apply Rmult_le_compat_l; [exact E0|]. eapply Rle_trans; [|exact mean_leverage]. right.
      apply Expect_ext. intro ps. rewrite (Expect_ext_on_support (rewards_law rew ps) _ (fun _ => fresh_leverage ps))
        by (eapply Forall_impl; [|apply rewards_support]; intros [q t] Ht; cbn [snd] in *; rewrite Ht; reflexivity).
      apply Expect_const. apply distribution_rewards. exact Hrew.
  Qed.
End FreshPoints.
